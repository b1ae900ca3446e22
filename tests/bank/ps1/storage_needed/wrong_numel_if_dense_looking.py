# draws: the element furthest out has the index (
from math import prod


def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    if stride and stride[-1] == 1 and stride[0] == prod(size[1:]):
        return storage_offset + prod(size)
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1
