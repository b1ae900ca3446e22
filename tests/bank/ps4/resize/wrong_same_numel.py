# draws: wrong in stride
# draws: rule: another size gets the row-major stride
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    numel = math.prod(new_size)
    if numel == math.prod(size) and len(size) == len(new_size):
        return new_size, stride, storage_offset, storage_length
    new_stride = tuple(
        math.prod(max(n, 1) for n in new_size[d + 1:]) for d in range(len(new_size))
    )
    if numel:
        storage_length = max(storage_length, storage_offset + numel)
    return new_size, new_stride, storage_offset, storage_length
