# draws: returned ((3, 3, 3, 1), (7, 7, 7, 7)); expected a ValueError, because dim 0 is not named
# draws: if nobody asks whether dims names each dim once
from math import prod


def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if len(o) != r or prod(d + 1 for d in o) != prod(range(1, r + 1)):
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
