import torch


def to_channels_last(tensor):
    image = torch.empty(tensor.size(), dtype=tensor.dtype, memory_format=torch.channels_last)
    return image.copy_(tensor)
