# draws: returned [1]; expected [10].
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [int(str(a)[0]) for a, b in pairwise(kept) if stride[a] != size[b] * stride[b]]
