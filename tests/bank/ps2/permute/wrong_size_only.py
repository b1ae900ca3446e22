# draws: if only the size is reordered
def permute(size, stride, dims):
    if sorted(range(len(size))[d] for d in dims) != list(range(len(size))):
        raise ValueError
    return tuple(size[d] for d in dims), stride
