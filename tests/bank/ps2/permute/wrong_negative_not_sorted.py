# draws: if negative dims are sorted as they are
# draws: raised ValueError
def permute(size, stride, dims):
    for d in dims:
        if not -len(size) <= d < len(size):
            raise IndexError
    if sorted(dims) != list(range(len(size))):
        raise ValueError
    return tuple(size[d] for d in dims), tuple(stride[d] for d in dims)
