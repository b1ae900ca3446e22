import fractions
import math


def infer_size(numel, size):
    if sum((n < 0 for n in size)) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((abs(n) for n in size))
    if not known:
        if -1 in size or numel:
            raise ValueError
        return size
    share = fractions.Fraction(numel, known)
    if -1 not in size and share != 1 or share.denominator != 1:
        raise ValueError
    return tuple((int(share) if n < 0 else n for n in size))
