# draws: hint: these are the bytes that it holds, not those that it saves
from itertools import product


def bytes_saved(size, stride, itemsize):
    at = {sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))}
    return len(at) * itemsize
