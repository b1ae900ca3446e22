def unsqueeze(size, stride, dim):
    new_rank = len(size) + 1
    if dim < 0:
        dim = dim + new_rank
    if not 0 <= dim < new_rank:
        raise IndexError("dim out of range")
    try:
        new_stride = stride[dim] * size[dim]
    except IndexError:
        # nothing to the right
        new_stride = 1
    sizes = list(size)
    strides = list(stride)
    sizes.insert(dim, 1)
    strides.insert(dim, new_stride)
    return tuple(sizes), tuple(strides)
