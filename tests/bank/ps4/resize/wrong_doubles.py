# draws: returned ((2, 2), (2, 1), 0, 6); expected ((2, 2), (2, 1), 0, 4): wrong in storage_length.
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n and storage_offset + n > storage_length:
        storage_length = max(2 * storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)
