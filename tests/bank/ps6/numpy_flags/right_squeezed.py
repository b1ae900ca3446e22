from itertools import accumulate
from operator import mul


def _packed(dims, itemsize):
    sizes = [n for n, _ in dims]
    steps = [s for _, s in dims]
    return steps == list(accumulate(sizes[:-1], mul, initial=itemsize))[: len(sizes)]


def numpy_flags(shape, byte_strides, itemsize):
    dims = [(n, s) for n, s in zip(shape, byte_strides) if n != 1]
    if any(n == 0 for n, _ in dims):
        return True, True
    return _packed(dims[::-1], itemsize), _packed(dims, itemsize)
