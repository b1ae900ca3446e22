# draws: returned [0, 0]; expected [].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    before, rest = [0] * storage_offset, [0] * (storage_length - storage_offset)
    for index in product(*map(range, size)):
        rest[sum(i * s for i, s in zip(index, stride))] += 1
    return before + rest
