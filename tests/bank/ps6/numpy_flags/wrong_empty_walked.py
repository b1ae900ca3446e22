# draws: hint: this is what you get if arrays without elements are walked
def numpy_flags(shape, byte_strides, itemsize):
    flags = []
    for dims in (list(zip(shape, byte_strides))[::-1], list(zip(shape, byte_strides))):
        expected = itemsize
        flag = True
        for n, s in dims:
            if n == 1:
                continue
            flag = flag and s == expected
            expected *= n
        flags.append(flag)
    return tuple(flags)
