# draws: hint: this is what you get if the list ends with the last position that is reached
# draws: returned [0, 0, 1, 1]; expected [0, 0, 1, 1, 0, 0].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = []
    for index in product(*map(range, size)):
        position = storage_offset + sum(i * s for i, s in zip(index, stride))
        while len(counts) <= position:
            counts.append(0)
        counts[position] += 1
    return counts
