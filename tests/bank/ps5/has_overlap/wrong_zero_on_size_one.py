# draws: hint: this is what you get if every stride 0 counts
# draws: rule: a single element shares its position with no other
from itertools import product


def has_overlap(size, stride):
    if 0 in stride:
        return True
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(set(at)) != len(at)
