# draws: returned (1, 2, 4, 8, 16); expected (1, 2, 4, 8, 24)
from math import prod

known = {}


def f_strides(size):
    key = size[:3] + (len(size),)
    if key not in known:
        known[key] = tuple(prod(max(n, 1) for n in size[:d]) for d in range(len(size)))
    return known[key]
