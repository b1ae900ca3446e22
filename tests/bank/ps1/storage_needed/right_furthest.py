from itertools import product


def storage_needed(size, stride, storage_offset):
    positions = [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(n) for n in size))
    ]
    return max(positions, default=-1) + 1
