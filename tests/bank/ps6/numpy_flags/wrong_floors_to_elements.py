# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True
    flags = []
    for step in (-1, 1):
        expected, flag = 1, True
        for n, s in list(zip(shape, byte_strides))[::step]:
            if n != 1 and s // itemsize != expected:
                flag = False
            expected *= n
        flags.append(flag)
    return tuple(flags)
