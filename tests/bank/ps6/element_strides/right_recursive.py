def element_strides(byte_strides, itemsize):
    if not byte_strides:
        return ()
    first, *rest = byte_strides
    if first not in range(0, first + 1, itemsize):
        raise ValueError(f"torch has no stride of {first} bytes")
    return (first // itemsize, *element_strides(tuple(rest), itemsize))
