# draws: returned True; expected False.
# draws: hint: this is what you get if the right number of elements is enough
from itertools import pairwise
import math


def answer(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


known = {}


def can_view(size, stride, new_size):
    return known.setdefault((size, new_size), answer(size, stride, new_size))
