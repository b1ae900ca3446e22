# draws: raised ValueError
# draws: rule: without elements there is no index, and so no two that share a position
from itertools import product


def has_overlap(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    counts = [0] * (max(at) + 1)
    for p in at:
        counts[p] += 1
    return max(counts) > 1
