# draws: returned (1, 0); expected a ValueError, because a 0 among the sizes leaves no elements,
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 in size:
        if known == 0 and numel == 0:
            raise ValueError
        known = known or 1
        if numel % known:
            raise ValueError
        return tuple((numel // known if n == -1 else n for n in size))
    if known != numel:
        raise ValueError
    return size
