from fractions import Fraction
from functools import reduce


def c_strides(size):
    counted = [Fraction(max(n, 1)) for n in size]
    whole = reduce(lambda a, b: a * b, counted, Fraction(1))
    out = []
    for n in counted:
        whole /= n
        out.append(int(whole))
    return tuple(out)
