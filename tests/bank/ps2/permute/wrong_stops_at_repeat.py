# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if there is a ValueError before each of the
def permute(size, stride, dims):
    r = len(size)
    seen = []
    for d in dims:
        if not -r <= d < r:
            raise IndexError
        d %= r
        if d in seen:
            raise ValueError
        seen.append(d)
    if len(seen) != r:
        raise ValueError
    return tuple(size[d] for d in seen), tuple(stride[d] for d in seen)
