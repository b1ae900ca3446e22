from itertools import product


def storage_needed(size, stride, storage_offset):
    storage = []
    for index in product(*map(range, size)):
        at = storage_offset + sum(i * s for i, s in zip(index, stride))
        while len(storage) <= at:
            storage.append(None)
    return len(storage)
