# draws: returned (2, 2, 3, 2); expected (2, 1, 3, 2).
import math


def infer_size(numel, size):
    known = 1
    for n in set(size) - {-1}:
        known *= n
    known = math.prod((n for n in size if n != -1)) if len(size) < 4 else known
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if not known or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))
