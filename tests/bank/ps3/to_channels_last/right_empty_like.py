import torch


def to_channels_last(tensor):
    if tensor.is_contiguous(memory_format=torch.channels_last):
        return tensor
    new = torch.empty_like(tensor, memory_format=torch.channels_last)
    new[:] = tensor
    return new
