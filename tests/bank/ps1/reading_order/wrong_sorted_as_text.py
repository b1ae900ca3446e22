# draws: returned [0, 2, 20, 4, 6, 8, 10, 12, 14, 16, 18, 1, 3, 21, 5, 7, 9, 11, 13, 15, 17, 19]; expected [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21]
from itertools import product


def reading_order(size, stride, storage_offset):
    indices = sorted(product(*map(range, size)), key=str)
    return [storage_offset + sum(i * s for i, s in zip(index, stride)) for index in indices]
