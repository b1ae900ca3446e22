from functools import reduce


def f_strides(size):
    def grow(stride, n):
        return stride + (stride[-1] * max(n, 1),)

    return reduce(grow, size, (1,))[:-1]
