# draws: returned []; expected [0].
from itertools import pairwise


def answer(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] != size[b] * stride[b]]


known = {}


def seams(size, stride):
    return known.setdefault(stride, answer(size, stride))
