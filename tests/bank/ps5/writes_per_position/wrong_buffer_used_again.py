# draws: returned [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
from itertools import product

counts = []


def writes_per_position(size, stride, storage_offset, storage_length):
    counts[:] = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return counts
