# Uses the function from the exercise before.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)


def to_channels_last(tensor):
    nhwc = contiguous(tensor.permute(0, 2, 3, 1))
    return nhwc.permute(0, 3, 1, 2)
