# draws: returned 0 at index (1,); expected 2.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.zeros(tensor.size(), dtype=tensor.dtype)
