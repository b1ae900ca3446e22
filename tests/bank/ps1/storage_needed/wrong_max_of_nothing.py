# draws: raised ValueError
# draws: has no elements, so it needs no storage
from itertools import product


def storage_needed(size, stride, storage_offset):
    return 1 + max(
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(n) for n in size))
    )
