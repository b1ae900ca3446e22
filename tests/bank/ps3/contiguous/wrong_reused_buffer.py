# draws: Called by itself it is right, so what it gives depends on other calls.
import torch

BUFFERS = {}


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    key = tensor.size(), tensor.dtype
    if key not in BUFFERS:
        BUFFERS[key] = torch.empty(tensor.size(), dtype=tensor.dtype)
    return BUFFERS[key].copy_(tensor)
