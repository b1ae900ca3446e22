# draws: returned 2; expected 3
from math import prod

known = {}


def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    key = prod(size), stride, storage_offset
    return known.setdefault(
        key, storage_offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))
    )
