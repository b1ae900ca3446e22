# draws: returned (2, 2); expected (2, 1)
def c_strides(size):
    stride, step = {}, 1
    for n in reversed(size):
        stride[n] = step
        step *= max(n, 1)
    return tuple(stride[n] for n in size)
