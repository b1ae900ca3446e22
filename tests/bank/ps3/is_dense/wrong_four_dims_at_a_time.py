# draws: returned True; expected False.
# draws: hint: this is what you get if the reach is compared with the number of elements.
from itertools import combinations, product
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n != 1]
    if 1 + sum((n - 1) * step for n, step in kept) != prod(size):
        return False
    # Four dims at a time will be enough to find every overlap.
    for some in combinations(kept, min(4, len(kept))):
        indices = product(*(range(n) for n, _ in some))
        positions = [sum(i * s for i, (_, s) in zip(index, some)) for index in indices]
        if len(set(positions)) < len(positions):
            return False
    return True
