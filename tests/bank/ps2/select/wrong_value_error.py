# draws: expected an IndexError
# draws: raised ValueError: bad index
def select(size, stride, storage_offset, dim, index):
    dim = range(len(size))[dim]
    if not -size[dim] <= index < size[dim]:
        raise ValueError("bad index")
    index %= size[dim]
    size, stride = list(size), list(stride)
    del size[dim]
    step = stride.pop(dim)
    return tuple(size), tuple(stride), storage_offset + index * step
