# draws: hint: this is what you get with empty_like: it imitates the old strides.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty_like(tensor).copy_(tensor)
