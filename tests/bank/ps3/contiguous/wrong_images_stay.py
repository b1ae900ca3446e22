# draws: returned t itself, of stride (12, 1, 6, 3); expected a copy in row-major order, on a storage of its own.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    if tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last):
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
