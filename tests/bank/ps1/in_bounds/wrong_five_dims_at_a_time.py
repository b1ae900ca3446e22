# draws: returned True; expected False
# draws: returned True; expected False.
from itertools import combinations


def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    ways = [(n - 1) * s for n, s in zip(size, stride) if n > 1] + [0] * 5
    return all(0 <= storage_offset + sum(w) < storage_length for w in set(combinations(ways, 5)))
