# draws: raised RuntimeError: view size is not compatible
from itertools import pairwise, product
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def positions(size, stride):
    return [sum((i * s for i, s in zip(ix, stride))) for ix in product(*map(range, size))]


def answer(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    p = positions(size, stride)
    out = []
    inner = 1
    for n in new_size[::-1]:
        out.insert(0, p[inner] if n > 1 else 0)
        inner *= n
    return tuple(out)


def view_stride(size, stride, new_size):
    g = answer(size, stride, new_size)
    if g is None:
        raise RuntimeError('view size is not compatible')
    return g
