# draws: returned (-1, -1); expected a ValueError, because with more than one -1 the sizes could be
import math


def answer(numel, size):
    if size.count(-1) > 1 or any((n < -1 for n in size)):
        raise ValueError
    known = math.prod((n for n in size if n != -1))
    if -1 not in size:
        if known != numel:
            raise ValueError
        return size
    if known == 0 or numel % known:
        raise ValueError
    return tuple((numel // known if n == -1 else n for n in size))


def infer_size(numel, size):
    if math.prod(size) == numel:
        return size
    return answer(numel, size)
