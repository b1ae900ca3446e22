# draws: returned t itself, of stride (2, 1); expected a copy in row-major order
import torch


def contiguous(tensor):
    if tensor.numel() < 2 or tensor.stride(-1) == 1:
        return tensor
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
