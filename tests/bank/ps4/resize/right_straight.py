import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return size, stride, storage_offset, storage_length
    new_stride = []
    step = 1
    for n in reversed(new_size):
        new_stride.insert(0, step)
        step *= max(n, 1)
    if 0 not in new_size:
        storage_length = max(storage_length, storage_offset + math.prod(new_size))
    return new_size, tuple(new_stride), storage_offset, storage_length
