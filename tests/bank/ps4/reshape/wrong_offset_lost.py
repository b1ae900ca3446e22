# draws: returned 0 at index (0, 0); expected 1.
# draws: hint: this is what you get if the view begins at position 0
from itertools import pairwise
import math
import torch


def can_view(size, stride, new_size):
    if 0 in size:
        return True
    ends = {math.prod(new_size[d:]) for d in range(len(new_size))}
    kept = [d for d, n in enumerate(size) if n != 1]
    return all((stride[a] == size[b] * stride[b] or math.prod(size[b:]) in ends for a, b in pairwise(kept)))


def has_view(tensor, n):
    return can_view(tuple(tensor.shape), tensor.stride(), n)


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        e = torch.empty(tensor.shape).as_strided
        v = tensor.view(new_size)
        return tensor.as_strided(v.size(), v.stride(), 0)
    return tensor.contiguous().view(new_size)
