# draws: a float. Return an int
from itertools import product


def bytes_saved(size, stride, itemsize):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    if not at:
        return 0
    return len(at) * itemsize * (1 - len(set(at)) / len(at))
