# draws: returned (4, 1, 2); expected (1, 2, 4)
def c_strides(size):
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return stride


def f_strides(size):
    size = list(size)
    if len(size) < 2:
        return tuple(c_strides(size))
    size[-1], size[-2] = size[-2], size[-1]
    stride = c_strides(size)
    stride[-1], stride[-2] = stride[-2], stride[-1]
    return tuple(stride)
