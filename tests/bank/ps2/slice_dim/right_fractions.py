from fractions import Fraction
from math import ceil
from typing import NamedTuple


class Header(NamedTuple):
    size: tuple
    stride: tuple
    storage_offset: int


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if not step > 0:
        raise ValueError(step)
    if dim >= len(size) or dim < -len(size):
        raise IndexError
    n = size[dim]
    a, b = (sorted((0, x + n * (x < 0), n))[1] for x in (start, stop))
    count = max(ceil(Fraction(b - a, step)), 0)
    k = dim % len(size)
    return Header(
        tuple(count if i == k else m for i, m in enumerate(size)),
        tuple(s * step if i == k else s for i, s in enumerate(stride)),
        storage_offset + stride[dim] * a,
    )
