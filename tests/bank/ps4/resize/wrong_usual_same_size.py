# draws: wrong in stride
# draws: rule: the size stays
# draws: hint: this is what you get if the strides are written anew although the size is the same
import math


def c_strides(size):
    return tuple(math.prod(max(n, 1) for n in size[d + 1:]) for d in range(len(size)))


def resize(size, stride, storage_offset, storage_length, new_size):
    numel = math.prod(new_size)
    if size != new_size and numel:
        storage_length = max(storage_length, storage_offset + numel)
    return new_size, c_strides(new_size), storage_offset, storage_length
