# draws: changed t itself. Leave the argument as it was given.
import torch


def to_channels_last(tensor):
    new = torch.empty(tensor.size(), dtype=tensor.dtype, memory_format=torch.channels_last)
    tensor.data = new.copy_(tensor)
    return tensor
