# draws: hint: this is what you get with empty_like: it imitates the old strides
import torch


def to_channels_last(tensor):
    return torch.empty_like(tensor).copy_(tensor)
