from math import prod


def storage_needed(size, stride, storage_offset):
    return (0 not in size) * (storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1)
