# draws: of type int. Return a bool, True or False
from itertools import product


def has_overlap(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(at) - len(set(at))
