# draws: wrong in stride
# draws: hint: this is what you get if a size of 0 is multiplied as 0
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if new_size == size:
        return size, stride, storage_offset, storage_length
    new_stride = tuple(math.prod(new_size[d + 1:]) for d in range(len(new_size)))
    numel = math.prod(new_size)
    if numel:
        storage_length = max(storage_length, storage_offset + numel)
    return new_size, new_stride, storage_offset, storage_length
