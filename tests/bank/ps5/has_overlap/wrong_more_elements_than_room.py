# draws: hint: this is what you get if elements are only counted against positions
import math


def has_overlap(size, stride):
    numel = math.prod(size)
    if numel == 0:
        return False
    return numel > sum((n - 1) * s for n, s in zip(size, stride)) + 1
