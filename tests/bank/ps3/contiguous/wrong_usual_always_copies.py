# draws: hint: this is what you get if a contiguous tensor is copied too.
# draws: returned another tensor; expected t itself, which is contiguous already.
import torch


def contiguous(tensor):
    result = torch.empty(tensor.size(), dtype=tensor.dtype)
    return result.copy_(tensor)
