# draws: returned [0, 1, 2]; expected [0, 1, 1, 2]
# draws: hint: this is what you get if every position is listed once
from itertools import product


def reading_order(size, stride, storage_offset):
    at = {
        storage_offset + sum(i * s for i, s in zip(index, stride)): index
        for index in product(*map(range, size))
    }
    return [p for p, _ in sorted(at.items(), key=lambda pair: pair[1])]
