# draws: returned True; expected False.
# draws: hint: this is what you get if the reach is compared with the number of elements.
from itertools import pairwise
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    steps = sorted(step for n, step in zip(size, stride) if n > 1)
    # From 1 upwards, each a multiple of the one before, and as long as there are elements.
    if steps[:1] not in ([], [1]) or any(b == a or b % a for a, b in pairwise(steps)):
        return False
    return 1 + sum((n - 1) * step for n, step in zip(size, stride)) == prod(size)
