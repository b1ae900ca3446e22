# The strides of the new tensor's dims of size 1 are odd, and nobody minds.
import torch


def contiguous(tensor):
    if tensor.is_contiguous():
        return tensor
    stride, step = [], 1
    for n in reversed(tensor.shape):
        stride.insert(0, 77 if n == 1 else step)
        step *= n
    new = torch.empty_strided(tensor.shape, stride, dtype=tensor.dtype)
    new.copy_(tensor)
    return new
