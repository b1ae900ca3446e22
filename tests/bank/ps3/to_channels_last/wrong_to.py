# draws: calls to in line 2 of its source. to_channels_last has to order the memory itself
import torch


def to_channels_last(tensor):
    return tensor.to(memory_format=torch.channels_last)
