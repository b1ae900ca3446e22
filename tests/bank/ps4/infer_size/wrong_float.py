# draws: a float. Return an int: // divides without leaving the ints
import math


def infer_size(numel, size):
    known = math.prod(n for n in size if n != -1)
    if size.count(-1) > 1 or min(size, default=0) < -1:
        raise ValueError
    if -1 in size:
        if known == 0 or numel % known:
            raise ValueError
        return tuple(numel / known if n == -1 else n for n in size)
    if known != numel:
        raise ValueError
    return size
