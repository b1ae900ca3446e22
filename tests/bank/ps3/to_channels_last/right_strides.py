import torch


def to_channels_last(tensor):
    stride = [0] * 4
    step = 1
    for dim in (1, 3, 2, 0):
        stride[dim] = step
        step *= tensor.size(dim)
    return torch.empty_strided(tensor.size(), stride, dtype=tensor.dtype).copy_(tensor)
