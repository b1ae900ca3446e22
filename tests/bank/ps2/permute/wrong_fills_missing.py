# draws: returned ((2, 3), (7, 2)); expected a ValueError, because dim 0 is not named
def permute(size, stride, dims):
    r = len(size)
    o = [range(r)[d] for d in dims]
    if len(set(o)) != len(o):
        raise ValueError
    o += [d for d in range(r) if d not in o]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
