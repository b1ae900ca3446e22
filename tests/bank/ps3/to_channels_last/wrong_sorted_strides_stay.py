# draws: returned t itself, of stride (2, 1, 1, 1), which is not channels_last; expected (1, 1, 1, 1), where dims of size 1 may have any stride.
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.size()
    if tensor.stride(0) >= tensor.stride(2) >= tensor.stride(3) >= tensor.stride(1) == 1:
        return tensor
    new = torch.empty_strided(tensor.size(), (h * w * c, 1, w * c, c), dtype=tensor.dtype)
    return new.copy_(tensor)
