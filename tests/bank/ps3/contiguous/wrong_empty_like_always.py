# draws: hint: this is what you get if a contiguous tensor is copied too.
import torch


def contiguous(tensor):
    return torch.empty_like(tensor).copy_(tensor)
