def squeeze(size, stride, dim):
    sizes, strides = list(size), list(stride)
    if sizes[dim] == 1:
        sizes.pop(dim)
        strides.pop(dim)
    return tuple(sizes), tuple(strides)
