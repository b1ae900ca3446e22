# draws: because -2 is no size: only -1 may stand for one
# draws: hint: this is what you get if other negative numbers count as sizes
import math


def infer_size(numel, size):
    holes = size.count(-1)
    known = math.prod(n for n in size if n != -1)
    if holes > 1:
        raise ValueError("two -1")
    if holes == 0:
        if known != numel:
            raise ValueError("product")
        return size
    if known == 0 or numel % known:
        raise ValueError("division")
    return tuple(numel // known if n == -1 else n for n in size)
