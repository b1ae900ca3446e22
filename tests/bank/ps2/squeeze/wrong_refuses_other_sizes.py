# draws: if a dim of another size is refused
# draws: raised ValueError: cannot squeeze
def squeeze(size, stride, dim):
    if size[dim] != 1:
        raise ValueError("cannot squeeze a dim of size %d" % size[dim])
    size, stride = list(size), list(stride)
    size.pop(dim)
    stride.pop(dim)
    return tuple(size), tuple(stride)
