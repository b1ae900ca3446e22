from math import prod


def unravel(flat, size):
    index = []
    for n in reversed(size):
        index.append(flat % n)
        flat //= n
    return index[::-1]


def reading_order(size, stride, storage_offset):
    out = []
    for flat in range(prod(size)):
        at = storage_offset
        for i, s in zip(unravel(flat, size), stride):
            at += i * s
        out.append(at)
    return out
