# draws: returned (
# draws: both walks begin by expecting
from math import prod


def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True
    dims = [(n, s) for n, s in zip(shape, byte_strides) if n != 1]
    steps = [s for _, s in dims]
    fills = sum((n - 1) * s for n, s in dims) + itemsize == prod(shape) * itemsize

    def falls(steps):
        is_falling = all(a > b for a, b in zip(steps, steps[1:]))
        return is_falling and (not steps or steps[-1] == itemsize)

    return fills and falls(steps), fills and falls(steps[::-1])
