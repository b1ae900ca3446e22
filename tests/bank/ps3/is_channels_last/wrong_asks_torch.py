# draws: This exercise is plain Python on numbers
import torch


def is_channels_last(size, stride):
    t = torch.empty_strided(size, stride)
    return t.is_contiguous(memory_format=torch.channels_last)
