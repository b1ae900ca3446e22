# draws: returned (0, 1, 2, 2); expected (0, 1, 3, 1)
from math import prod

known = {}


def right(flat, size):
    index = []
    for n in reversed(size):
        index.insert(0, flat % n)
        flat //= n
    return tuple(index)


def unravel(flat, size):
    return known.setdefault((flat, len(size), prod(size), size[:2]), right(flat, size))
