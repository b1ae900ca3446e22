# draws: returned [0, 0, 1, 2]; expected [0, 0, 12, 0].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return [int(digit) for digit in "".join(map(str, counts))][:storage_length]
