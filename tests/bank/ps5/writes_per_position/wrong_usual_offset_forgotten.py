# draws: hint: this is what you get if storage_offset is forgotten
# draws: rule: counted from storage_offset 2, the indices reach positions 2, 3, in reading order; the list has storage_length = 4 items, how often each
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[sum(i * s for i, s in zip(index, stride))] += 1
    return counts
