def c_strides(size):
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)


def f_strides(size):
    # column-major is row-major of the transposed tensor, transposed back
    backwards = tuple(reversed(size))
    return tuple(reversed(c_strides(backwards)))
