# draws: returned ((0, 2), (1, 1), 0, 3); expected ((0, 2), (2, 1), 0, 3): wrong in stride.
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def answer(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size), storage_offset, storage_length)


def resize(size, stride, storage_offset, storage_length, new_size):
    g = answer(size, stride, storage_offset, storage_length, new_size)
    return (g[0], (1,) * len(new_size), *g[2:]) if 0 in new_size and new_size != size else g
