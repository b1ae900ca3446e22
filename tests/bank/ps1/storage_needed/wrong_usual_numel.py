# draws: hint: this is the number of elements
from math import prod


def storage_needed(size, stride, storage_offset):
    return prod(size)
