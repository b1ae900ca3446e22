# draws: returned 6; expected 4.
from itertools import product

saved = {}


def bytes_saved(size, stride, itemsize):
    if (size, stride) not in saved:
        at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
        saved[size, stride] = itemsize * (len(at) - len(set(at)))
    return saved[size, stride]
