# draws: returned size (2,); expected (1, 2).
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.numel(), dtype=tensor.dtype).copy_(tensor.view(-1))
