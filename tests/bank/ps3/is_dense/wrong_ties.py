# draws: returned True; expected False.
# draws: hint: this is what you get if overlaps are ignored. Dense means that each position is used by one index only.
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n > 1]
    return all(step == prod(n for n, other in kept if other < step) for _, step in kept)
