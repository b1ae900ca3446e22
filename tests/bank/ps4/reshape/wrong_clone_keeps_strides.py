# draws: raised RuntimeError: view size is not compatible with input tensor's size and stride (at
# draws: hint: this is what you get from view alone
from itertools import pairwise
import math


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
        return tensor.view(new_size)
    return tensor.clone().view(new_size)
