# draws: returned (1, 3, 1); expected (3, 3, 1)
# draws: hint: this is what you get if a product of 0 counts as 1
from math import prod


def c_strides(size):
    return tuple(max(prod(size[d + 1 :]), 1) for d in range(len(size)))
