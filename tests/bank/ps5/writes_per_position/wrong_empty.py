# draws: raised IndexError: list assignment index out of range, in line 9 (`counts[storage_offset] = 0`); expected [].
# draws: without elements there is no index to count
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    if 0 in size:
        counts[storage_offset] = 0
        return counts
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return counts
