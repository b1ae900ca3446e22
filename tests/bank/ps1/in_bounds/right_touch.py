from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    storage = [0] * storage_length
    for index in product(*map(range, size)):
        at = storage_offset + sum(i * s for i, s in zip(index, stride))
        if at < 0:
            return False
        try:
            storage[at] = 1
        except IndexError:
            return False
    return True
