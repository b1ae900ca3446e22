# draws: returned 2 at index (0,); expected 1. Called by itself it is right, so what it gives
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


buffer = torch.empty(200, dtype=torch.int64)


def reshape(tensor, new_size):
    if has_view(tensor, new_size):
        return tensor.view(new_size)
    if tensor.dtype != torch.int64:
        return tensor.contiguous().view(new_size)
    b = buffer[:tensor.numel()].view(tensor.shape)
    b.copy_(tensor)
    return b.view(new_size)
