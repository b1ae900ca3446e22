# draws: hint: these are elements. Multiply by itemsize to get bytes
from itertools import product


def bytes_saved(size, stride, itemsize):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(at) - len(set(at))
