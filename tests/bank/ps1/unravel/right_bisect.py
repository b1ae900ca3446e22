from bisect import bisect_right
from math import prod


def unravel(flat, size):
    out = []
    for d, n in enumerate(size):
        step = prod(size[d + 1 :])
        i = bisect_right(range(0, n * step, step), flat) - 1
        out.append(i)
        flat -= i * step
    return tuple(out)
