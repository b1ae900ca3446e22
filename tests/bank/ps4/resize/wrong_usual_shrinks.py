# draws: wrong in storage_length
# draws: hint: this is what you get if the storage shrinks with the tensor
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if new_size == size:
        return size, stride, storage_offset, storage_length
    new_stride = tuple(
        math.prod(max(n, 1) for n in new_size[d + 1:]) for d in range(len(new_size))
    )
    return new_size, new_stride, storage_offset, storage_offset + math.prod(new_size)
