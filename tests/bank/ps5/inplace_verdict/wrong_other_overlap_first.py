# draws: returned 'silent'; expected 'refused'.
from itertools import product


def overlaps(size, stride):
    at = [sum(i * s for i, s in zip(index, stride)) for index in product(*map(range, size))]
    return len(set(at)) < len(at)


def inplace_verdict(size, stride):
    moving = [(n, s) for n, s in zip(size, stride) if s]
    if overlaps([n for n, _ in moving], [s for _, s in moving]) and 0 not in size:
        return "silent"
    return "refused" if overlaps(size, stride) else "safe"
