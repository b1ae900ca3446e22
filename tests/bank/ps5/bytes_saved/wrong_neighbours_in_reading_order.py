# draws: returned 0; expected 4.
from itertools import pairwise, product


def bytes_saved(size, stride, itemsize):
    positions = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return itemsize * sum(a == b for a, b in pairwise(positions))
