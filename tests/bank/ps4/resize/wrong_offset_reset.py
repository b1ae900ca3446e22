# draws: hint: this is what you get if the offset is set to 0
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if new_size == size:
        return size, stride, storage_offset, storage_length
    new_stride = []
    for d in range(len(new_size)):
        step = 1
        for n in new_size[d + 1:]:
            step *= max(1, n)
        new_stride.append(step)
    return new_size, tuple(new_stride), 0, max(storage_length, math.prod(new_size))
