# draws: hint: this is what you get if a position is only marked as reached. Count the indices.
# draws: returned [0, 0, 1, 1, 1, 1]; expected [0, 0, 1, 2, 2, 1].
from itertools import groupby, product


def writes_per_position(size, stride, storage_offset, storage_length):
    positions = [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    ]
    counts = [0] * storage_length
    for position, run in groupby(positions):
        counts[position] = len(list(run))
    return counts
