# draws: returned True; expected False.
from itertools import product


def has_overlap(size, stride):
    table = [False] * 1024
    for index in product(*map(range, size)):
        slot = sum(i * s for i, s in zip(index, stride)) % 1024
        if table[slot]:
            return True
        table[slot] = True
    return False
