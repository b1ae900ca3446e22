# draws: hint: this is what you get if the elements are taken to lie one after another
from math import prod


def reading_order(size, stride, storage_offset):
    return list(range(storage_offset, storage_offset + prod(size)))
