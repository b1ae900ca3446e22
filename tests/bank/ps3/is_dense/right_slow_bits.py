from itertools import product


def is_dense(size, stride):
    used = 0
    for index in product(*(range(n) for n in size)):
        bit = 1 << sum(i * step for i, step in zip(index, stride))
        if used & bit:
            return False
        used |= bit
    # Ones only: no gap.
    return used & (used + 1) == 0
