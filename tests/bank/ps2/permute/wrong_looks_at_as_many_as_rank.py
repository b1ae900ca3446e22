# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if there is a ValueError before each of the
def permute(size, stride, dims):
    r = len(size)
    for d in dims[:r]:
        if not -r <= d < r:
            raise IndexError
    if len(dims) != r:
        raise ValueError
    o = [d % r for d in dims]
    if len(set(o)) != r:
        raise ValueError
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
