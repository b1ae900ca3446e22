# draws: returned None; expected a ValueError
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or min(size, default=0) < -1:
        return None
    known = math.prod(n for n in size if n != -1)
    if -1 not in size:
        return size if known == numel else None
    if known == 0 or numel % known:
        return None
    return tuple(numel // known if n == -1 else n for n in size)
