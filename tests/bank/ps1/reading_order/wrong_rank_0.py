# draws: reading_order(size=(), stride=(), storage_offset=0) returned []; expected [0]
# draws: a tensor without dims has one element
from itertools import product


def reading_order(size, stride, storage_offset):
    if not size:
        return []
    return [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    ]
