# draws: hint: this is what you get if only the strides are changed.
from math import prod


def contiguous(tensor):
    size = tensor.size()
    stride = [prod(size[d + 1 :]) for d in range(len(size))]
    if tensor.is_contiguous():
        return tensor
    return tensor.as_strided(size, stride)
