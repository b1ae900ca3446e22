# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if there is a ValueError before each of the dims has been looked at
def permute(size, stride, dims):
    r = len(size)
    if len(dims) < r:
        raise ValueError
    o = [range(r)[d] for d in dims]
    if sorted(o) != list(range(r)):
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
