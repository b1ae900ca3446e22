# draws: returned (6, 1); expected (7, 1).
# draws: hint: this is what you get if the step of the last dim is used everywhere
from itertools import pairwise
import math


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def view_stride(size, stride, new_size):
    if not can_view(size, stride, new_size):
        return None
    if 0 in size:
        return (1,) * len(new_size)
    steps = [s for n, s in zip(size, stride) if n != 1][::-1]
    sizes = [n for n in size if n != 1][::-1]
    out = []
    i = 0
    acc = 1
    step = steps[0] if steps else 1
    for n in reversed(new_size):
        out.insert(0, step)
        step *= n
        acc *= n
        if i < len(sizes) and acc == sizes[i]:
            i += 1
            acc = 1
            if i < len(steps):
                step = steps[i]
    return tuple(out)
