# draws: returned [1], a list. Return a tuple of ints: tuple(...) makes one. Expected here: (1,).
# draws: a list. Return a tuple of ints: tuple(...) makes one
import math


def infer_size(numel, size):
    size = list(size)
    if size.count(-1) > 1 or min(size, default=0) < -1:
        raise ValueError
    known = math.prod(n for n in size if n != -1)
    if -1 in size:
        if known == 0 or numel % known:
            raise ValueError
        size[size.index(-1)] = numel // known
    elif known != numel:
        raise ValueError
    return size
