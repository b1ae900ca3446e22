# draws: returned (0, 0)
# draws: hint: this is what you get if 0 is put for a -1 beside a 0
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or [n for n in size if n < -1]:
        raise ValueError("bad")
    known = math.prod(n for n in size if n + 1)
    if -1 not in size or known == 0:
        if known != numel:
            raise ValueError("bad product")
        return size if -1 not in size else tuple(max(0, n) for n in size)
    if numel % known:
        raise ValueError("bad division")
    return tuple(n if n >= 0 else numel // known for n in size)
