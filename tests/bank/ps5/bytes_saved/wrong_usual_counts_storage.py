# draws: hint: this is what you get if the storage is counted up to the last position
# draws: (gaps between them hold none of its elements)
from math import prod


def bytes_saved(size, stride, itemsize):
    if 0 in size:
        return 0
    storage = 1 + sum((n - 1) * s for n, s in zip(size, stride))
    return itemsize * (prod(size) - storage)
