# draws: hint: this is what you get if a size of 0 is multiplied as 0
# draws: the product of the sizes to its left, where a 0 counts as 1
from math import prod


def f_strides(size):
    return tuple(prod(size[:d]) for d in range(len(size)))
