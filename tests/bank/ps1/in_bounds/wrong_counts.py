# draws: hint: this is what you get if the elements are only counted
from math import prod


def in_bounds(size, stride, storage_offset, storage_length):
    return storage_offset + prod(size) <= storage_length
