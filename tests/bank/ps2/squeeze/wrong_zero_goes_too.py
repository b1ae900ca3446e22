# draws: dim 0 has size 0, and only a dim of size 1 goes away
def squeeze(size, stride, dim):
    size, stride = list(size), list(stride)
    if size[dim] <= 1:
        size.pop(dim)
        stride.pop(dim)
    return tuple(size), tuple(stride)
