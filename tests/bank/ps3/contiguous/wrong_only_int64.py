# draws: returned dtype int64; expected
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.zeros(tensor.size(), dtype=torch.int64).copy_(tensor)
