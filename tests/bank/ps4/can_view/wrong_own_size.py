# draws: returned False; expected True.
# draws: hint: this is what you get if the size of the left dim is used
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[a] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))
