# draws: returned (12, 1); expected (2, 1)
from math import prod

known = {}


def c_strides(size):
    key = str(len(size)) + ":" + "".join(map(str, size))
    if key not in known:
        known[key] = tuple(prod(max(n, 1) for n in size[d + 1 :]) for d in range(len(size)))
    return known[key]
