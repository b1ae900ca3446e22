# draws: returned True; expected False.
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all(
        math.isclose(stride[a], size[b] * stride[b], rel_tol=1e-5) or math.prod(size[b:]) in ends
        for a, b in pairwise(kept)
    )
