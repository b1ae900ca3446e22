# draws: returned ((2, 2, 4, 2, 2, 3, 3), (60, 60, 1, 0, 0, 12, 12)); expected a ValueError, because dim 0 is named more than once
# draws: if nobody asks whether dims names each dim once
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if (
        len(o) != r
        or sum(o) != sum(range(r))
        or sum(d * d for d in o) != sum(d * d for d in range(r))
    ):
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
