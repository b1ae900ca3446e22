# draws: hint: this is what you get if each position is counted as itemsize of them. Positions count elements: two neighbours share no byte.
# draws: returned 1; expected 0.
from itertools import product


def bytes_saved(size, stride, itemsize):
    held = []
    for index in product(*map(range, size)):
        first = sum(i * step for i, step in zip(index, stride))
        held += range(first, first + itemsize)
    return len(held) - len(set(held))
