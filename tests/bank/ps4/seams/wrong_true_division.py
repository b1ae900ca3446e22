# draws: returned []; expected [0].
from itertools import pairwise


def seams(size, stride):
    kept = [d for d, n in enumerate(size) if n != 1]
    return [a for a, b in pairwise(kept) if stride[b] == 0 and stride[a] != 0 or (stride[b] and stride[a] / stride[b] != size[b])]
