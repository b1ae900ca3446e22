# draws: if a dim that is not there is accepted
# draws: the new dim counts in the result
def unsqueeze(size, stride, dim):
    if dim < 0:
        dim += len(size) + 1
    own = size[dim] * stride[dim] if 0 <= dim < len(size) else 1
    sizes, strides = list(size), list(stride)
    sizes.insert(dim, 1)
    strides.insert(dim, own)
    return tuple(sizes), tuple(strides)
