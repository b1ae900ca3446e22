# draws: with more than one -1 the sizes could be chosen in many ways
import math


def infer_size(numel, size):
    holes = [n for n in size[:5] if n == -1]
    if len(holes) > 1 or min(size, default=0) < -1:
        raise ValueError("bad size")
    known = math.prod(n for n in size if n != -1)
    if -1 not in size:
        if known != numel:
            raise ValueError("wrong number of elements")
        return size
    if known == 0 or numel % known:
        raise ValueError("does not divide")
    return tuple(numel // known if n == -1 else n for n in size)
