# draws: a float. Return an int: // divides without leaving the ints
from math import prod


def f_strides(size):
    counted = [max(n, 1) for n in size]
    stride = []
    left = prod(counted)
    for n in reversed(counted):
        left = left / n
        stride.insert(0, left)
    return tuple(stride)
