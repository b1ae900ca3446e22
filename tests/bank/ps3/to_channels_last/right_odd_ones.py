# The strides of dims of size 1 are odd, and nobody minds.
import torch


def to_channels_last(tensor):
    n, c, h, w = tensor.shape
    stride = [99 if m == 1 else s for m, s in zip(tensor.shape, (h * w * c, 1, w * c, c))]
    return torch.empty_strided(tensor.shape, stride, dtype=tensor.dtype).copy_(tensor)
