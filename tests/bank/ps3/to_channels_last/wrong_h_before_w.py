# draws: returned stride (4, 1, 1, 2), which is not channels_last; expected (4, 1, 2, 1), where dims of size 1 may have any stride.
# draws: hint: this is what you get if H comes before W.
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    new = torch.empty_strided(tensor.size(), (h * w * c, 1, c, h * c), dtype=tensor.dtype)
    return new.copy_(tensor)
