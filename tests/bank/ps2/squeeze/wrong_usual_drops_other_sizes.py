# draws: if the dim is dropped whatever its size
# draws: only a dim of size 1 goes away
def squeeze(size, stride, dim):
    size, stride = list(size), list(stride)
    del size[dim], stride[dim]
    return tuple(size), tuple(stride)
