# draws: hint: this is what you get if the dims are permuted and not put back.
import torch


def to_channels_last(tensor):
    nhwc = tensor.permute(0, 2, 3, 1)
    return torch.empty(nhwc.size(), dtype=nhwc.dtype).copy_(nhwc)
