# draws: hint: this is what you get if a size without a -1 is not checked
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or any(n < -1 for n in size):
        raise ValueError
    if -1 not in size:
        return size
    known = math.prod(n for n in size if n >= 0)
    if not known or numel % known:
        raise ValueError
    return tuple(numel // known if n < 0 else n for n in size)
