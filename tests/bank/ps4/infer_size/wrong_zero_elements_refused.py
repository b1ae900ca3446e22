# draws: raised ValueError
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
    if numel == 0 and -1 in size:
        raise ValueError
    return answer(numel, size)
