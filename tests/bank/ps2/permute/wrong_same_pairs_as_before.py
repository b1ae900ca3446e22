# draws: returned ((2, 2), (3, 3)); expected a ValueError, because dim 0 is named more than once
# draws: if nobody asks whether dims names each dim once
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    s = [(size[d], stride[d]) for d in o]
    if sorted(s) != sorted(zip(size, stride)):
        raise ValueError
    return tuple(x for x, _ in s), tuple(x for _, x in s)
