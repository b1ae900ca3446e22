# draws: returned None. Return a torch tensor. Is a `return` missing?
import torch


def to_channels_last(tensor):
    new = torch.empty_like(tensor, memory_format=torch.channels_last)
    new.copy_(tensor)
