# draws: expected (True, False): wrong in c_contiguous
# draws: both walks begin by expecting
from math import prod


def numpy_flags(shape, byte_strides, itemsize):
    if not prod(shape):
        return True, True

    def walk(dims):
        e = itemsize
        for n, s in dims:
            if n > 1:
                if s is not e:
                    return False
                e *= n
        return True

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)
