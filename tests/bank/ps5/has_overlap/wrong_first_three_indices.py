# draws: hint: this is what you get if only indices are compared that are near each other. Two can be far apart, and their position the same.
# draws: returned False; expected True.
from itertools import product


def has_overlap(size, stride):
    at = [
        sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(min(n, 3)) for n in size))
    ]
    return len(set(at)) < len(at)
