# draws: returned True; expected False.
from itertools import pairwise


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or size[b] in new_size for a, b in pairwise(kept)))
