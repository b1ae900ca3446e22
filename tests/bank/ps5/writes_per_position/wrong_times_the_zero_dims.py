# draws: hint: this is what you get if a position is only marked as reached. Count the indices.
# draws: returned [0, 0, 1, 1, 1, 1]; expected [0, 0, 1, 2, 2, 1].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    times = 1
    for n, step in zip(size, stride):
        times *= n if step == 0 else 1
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] = times
    return counts
