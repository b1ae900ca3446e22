# draws: returned [0]; expected []
# draws: has no elements, so there is no position to list
from itertools import product


def reading_order(size, stride, storage_offset):
    positions = []
    for index in product(*(range(max(n, 1)) for n in size)):
        positions.append(storage_offset + sum(i * s for i, s in zip(index, stride)))
    return positions
