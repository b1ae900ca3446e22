# draws: returned ((2,), (1,), 1, 3); expected ((2,), (0,), 1, 2): wrong in stride and in
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size is new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)
