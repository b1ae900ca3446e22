# draws: returned True; expected False.
# draws: hint: this is what you get if the reach is compared with the number of elements.
from itertools import combinations, product
from math import prod


def is_dense(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n != 1]
    reach = 1 + sum((n - 1) * step for n, step in kept)
    if reach != prod(size):
        return False
    # No two dims may overlap.
    for (n, a), (m, b) in combinations(kept, 2):
        positions = [i * a + j * b for i, j in product(range(n), range(m))]
        if len(set(positions)) < len(positions):
            return False
    return all(step for _, step in kept)
