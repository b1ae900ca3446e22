# draws: a list. Return the tuple (c_contiguous, f_contiguous): tuple(...) makes one
def numpy_flags(shape, byte_strides, itemsize):
    flags = []
    for step in (-1, 1):
        expected, flag = itemsize, True
        for n, s in list(zip(shape, byte_strides))[::step]:
            if n != 1 and s != expected:
                flag = False
            expected *= n
        flags.append(flag or 0 in shape)
    return flags
