# draws: raised ZeroDivisionError
# draws: hint: this is what you get if you divide before you look
import math


def infer_size(numel, size):
    if len([n for n in size if n == -1]) > 1 or min(size, default=0) < -1:
        raise ValueError("at most one -1")
    known = math.prod(n for n in size if n != -1)
    if -1 not in size:
        if known == numel:
            return size
        raise ValueError("sizes do not match")
    if numel % known == 0:
        d = size.index(-1)
        return size[:d] + (numel // known,) + size[d + 1:]
    raise ValueError("not divisible")
