# draws: hint: this is what you get if the list ends with the last position that is reached. It has storage_length items.
# draws: returned [0, 0, 1, 1]; expected [0, 0, 1, 1, 0, 0].
from itertools import product

known = {}


def writes_per_position(size, stride, storage_offset, storage_length):
    key = size, stride, storage_offset
    if key not in known:
        counts = [0] * storage_length
        for index in product(*map(range, size)):
            counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
        known[key] = counts
    return list(known[key])
