# draws: returned 12; expected 0.
from itertools import product


def bytes_saved(size, stride, itemsize):
    seen, saved = bytearray(65536), 0
    for index in product(*map(range, size)):
        position = sum(i * step for i, step in zip(index, stride)) & 0xFFFF
        saved += seen[position] * itemsize
        seen[position] = 1
    return saved
