# draws: hint: this is what you get if // drops the rest
# draws: returned (1, 2); expected a ValueError, because 3 elements cannot be divided by 2
import math


def infer_size(numel, size):
    if size.count(-1) > 1 or any(n < -1 for n in size):
        raise ValueError("bad size")
    known = math.prod(n for n in size if n != -1)
    if -1 in size:
        if known == 0:
            raise ValueError("ambiguous")
        return tuple(numel // known if n == -1 else n for n in size)
    if known != numel:
        raise ValueError("wrong size")
    return size
