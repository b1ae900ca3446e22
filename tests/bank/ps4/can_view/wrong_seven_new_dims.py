# draws: returned False; expected True.
from itertools import pairwise
import math


def answer(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    s = [n for n in size if n != 1]
    t = [n for n in new_size if n != 1]
    if s == t:
        return True
    return answer(size, stride, new_size) if len(s) < 4 else answer(size, stride, new_size) and len(t) < 7
