# draws: returned [0]; expected [1].
from itertools import pairwise


def answer(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[a] != size[b] * stride[b]]


def seams(size, stride):
    return [size.index(size[d]) for d in answer(size, stride)]
