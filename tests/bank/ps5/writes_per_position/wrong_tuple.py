# draws: a tuple. Return a list of ints: list(...) makes one
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    at = [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    ]
    return tuple(at.count(p) for p in range(storage_length))
