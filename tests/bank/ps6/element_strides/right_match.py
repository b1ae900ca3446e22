def element_strides(byte_strides, itemsize):
    match byte_strides:
        case ():
            return ()
        case (first, *rest) if first >= 0 and first % itemsize == 0:
            return (first // itemsize, *element_strides(tuple(rest), itemsize))
    raise ValueError(f"{byte_strides[0]} bytes are no step that torch takes")
