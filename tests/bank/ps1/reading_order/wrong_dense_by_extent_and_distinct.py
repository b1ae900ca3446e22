# draws: returned [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]; expected [0, 1, 2, 2, 3, 4, 7, 8, 9, 9, 10, 11]
from math import prod


def walk(size, stride, at):
    out = [at]
    for n, s in zip(size, stride):
        out = [p + i * s for p in out for i in range(n)]
    return out


def reading_order(size, stride, storage_offset):
    if 0 in size:
        return []
    extent = sum((n - 1) * s for n, s in zip(size, stride)) + 1
    if (
        extent == prod(size)
        and list(stride) == sorted(set(stride), reverse=True)
        and 0 not in stride
    ):
        return list(range(storage_offset, storage_offset + extent))
    return walk(size, stride, storage_offset)
