# draws: hint: this is what you get if the copy is row-major.
# draws: which is not channels_last; expected (4, 1, 2, 2), where dims of size 1 may have any stride.
import torch


def to_channels_last(tensor):
    return torch.empty(tensor.size(), dtype=tensor.dtype).copy_(tensor)
