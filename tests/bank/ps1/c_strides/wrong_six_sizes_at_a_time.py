# draws: returned (64, 64, 32, 16, 8, 4, 2, 1); expected (128, 64, 32, 16, 8, 4, 2, 1)
from math import prod


def c_strides(size):
    return tuple(prod(n or 1 for n in size[d + 1 : d + 7]) for d in range(len(size)))
