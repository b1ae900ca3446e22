# draws: returned False; expected True.
from itertools import product

known = {}


def has_overlap(size, stride):
    key = tuple(sorted(size)), tuple(sorted(stride))
    if key not in known:
        at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
        known[key] = len(set(at)) < len(at)
    return known[key]
