# draws: hint: this is what you get if only dims with stride 0 are taken to repeat
import math


def bytes_saved(size, stride, itemsize):
    numel = math.prod(size)
    if numel == 0:
        return 0
    own = math.prod(n for n, s in zip(size, stride) if s != 0)
    return (numel - own) * itemsize
