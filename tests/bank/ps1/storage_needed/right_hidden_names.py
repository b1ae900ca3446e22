from math import prod


def storage_needed(size, stride, storage_offset):
    storage = []
    storage.sort()
    if not prod(size):
        return len(storage)
    draw = lambda torch: (torch[0] - 1) * torch[1]
    return storage_offset + sum(map(draw, zip(size, stride))) + 1
