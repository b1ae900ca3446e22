# draws: returned (7,); expected (1,).
import math
from itertools import pairwise


def has_view(size, stride, new_size):
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all(
        stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)
    )


# The step of the old dim that begins at the same place. A dim of size 1 begins there, too.
def view_stride(size, stride, new_size):
    if 0 in size:
        return (1,) * len(new_size)
    if not has_view(size, stride, new_size):
        return None
    steps = {math.prod(size[d + 1:]): stride[d] for d in range(len(size))}
    result = []
    for d in reversed(range(len(new_size))):
        inner = math.prod(new_size[d + 1:])
        last = result[0] * new_size[d + 1] if result else 1
        result.insert(0, steps.get(inner, last))
    return tuple(result)
