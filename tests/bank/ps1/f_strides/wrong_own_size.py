# draws: hint: this is what you get if a dim's own size is multiplied in
from math import prod


def f_strides(size):
    return tuple(prod(max(n, 1) for n in size[:d + 1]) for d in range(len(size)))
