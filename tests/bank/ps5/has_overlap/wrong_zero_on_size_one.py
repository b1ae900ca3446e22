# draws: hint: this is what you get if every stride 0 counts
# draws: rule: its 2 indices lie at 2 different positions, 0, 1 (a dim of size 1 repeats nothing, even with stride 0).
from itertools import product


def has_overlap(size, stride):
    if 0 in stride:
        return True
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(set(at)) != len(at)
