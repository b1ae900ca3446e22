# draws: returned [0, 0, 44, 0]; expected [0, 0, 300, 0].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = bytearray(storage_length)
    for index in product(*map(range, size)):
        position = storage_offset + sum(i * s for i, s in zip(index, stride))
        counts[position] = (counts[position] + 1) % 256
    return list(counts)
