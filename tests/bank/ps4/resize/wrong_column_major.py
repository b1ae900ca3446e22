# draws: returned ((1, 2), (1, 1), 0, 3); expected ((1, 2), (2, 1), 0, 3): wrong in stride.
# draws: hint: this is what you get if the first dim moves fastest
import math


def c_strides(size):
    return tuple((math.prod((max(n, 1) for n in size[d + 1:])) for d in range(len(size))))


def resize(size, stride, storage_offset, storage_length, new_size):
    if size == new_size:
        return (size, stride, storage_offset, storage_length)
    n = math.prod(new_size)
    if n:
        storage_length = max(storage_length, storage_offset + n)
    return (new_size, c_strides(new_size[::-1])[::-1], storage_offset, storage_length)
