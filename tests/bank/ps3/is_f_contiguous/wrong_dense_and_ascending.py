# draws: returned True; expected False.
from math import prod


def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n > 1]
    steps = [step for _, step in kept]
    # Ascending, the first is 1, and no gap at the end.
    reach = 1 + sum((n - 1) * step for n, step in kept)
    return steps == sorted(set(steps)) and steps[:1] in ([], [1]) and reach == prod(size)
