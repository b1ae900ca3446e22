from fractions import Fraction
from math import prod


def is_f_contiguous(size, stride):
    if not prod(size):
        return True
    left = Fraction(prod(size))
    for n, step in zip(size[::-1], stride[::-1]):
        left /= n
        if n > 1 and left != step:
            return False
    return left == 1
