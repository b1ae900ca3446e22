# draws: rule: another size gets the row-major stride
# draws: hint: this is what you get if the offset is forgotten
import math


def resize(size, stride, storage_offset, storage_length, new_size):
    if new_size == size:
        return size, stride, storage_offset, storage_length
    new_stride, step = (), 1
    for n in new_size[::-1]:
        new_stride = (step, *new_stride)
        step *= n or 1
    return new_size, new_stride, storage_offset, max(storage_length, math.prod(new_size))
