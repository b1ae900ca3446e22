from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    storage = list(range(storage_length))
    for index in product(*map(range, size)):
        at = storage_offset + sum(i * s for i, s in zip(index, stride))
        if at not in storage:
            return False
    return True
