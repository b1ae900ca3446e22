from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    for index in product(*(range(n) for n in size)):
        at = storage_offset
        for i, s in zip(index, stride):
            at += i * s
        if at not in range(storage_length):
            return False
    return True
