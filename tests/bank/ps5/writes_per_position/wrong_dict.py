# draws: of type collections.Counter. Return a list of ints: list(...) makes one
from collections import Counter
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    return Counter(
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    )
