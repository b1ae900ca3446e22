def numpy_flags(shape, byte_strides, itemsize):
    for n in shape:
        if n == 0:
            return (True, True)
    c = True
    expected = itemsize
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] != 1:
            if byte_strides[i] != expected:
                c = False
                break
            expected = expected * shape[i]
    f = True
    expected = itemsize
    for i in range(len(shape)):
        if shape[i] != 1:
            if byte_strides[i] != expected:
                f = False
                break
            expected = expected * shape[i]
    return (c, f)
