# draws: wrong in stride
import math


def key(size):
    return "".join(map(str, size))


def resize(size, stride, storage_offset, storage_length, new_size):
    if key(size) == key(new_size):
        return new_size, stride, storage_offset, storage_length
    new_stride = tuple(
        math.prod(max(n, 1) for n in new_size[dim + 1:]) for dim in range(len(new_size))
    )
    if 0 not in new_size:
        storage_length = max(storage_length, storage_offset + math.prod(new_size))
    return new_size, new_stride, storage_offset, storage_length
