# draws: returned dtype float32; expected int64.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.size()).copy_(tensor)
