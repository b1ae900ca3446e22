# draws: returned (1, 1, 1); expected (1, 1, 2)
# draws: hint: this is what you get if a product of 0 counts as 1
from math import prod


def f_strides(size):
    return tuple(max(prod(size[:d]), 1) for d in range(len(size)))
