# draws: returned 8; expected 12.
from itertools import product


def bytes_saved(size, stride, itemsize):
    positions = [sum(map(int.__mul__, i, stride)) for i in product(*map(range, size))]
    return (len(positions) - len({*positions})) << (itemsize.bit_length() - 1)
