# draws: hint: this is the number of elements. It is enough only if they lie one after another
from math import prod


def storage_needed(size, stride, storage_offset):
    return prod(size) + storage_offset
