# draws: add rank + 1
def unsqueeze(size, stride, dim):
    sizes, strides = list(size), list(stride)
    own = size[dim] * stride[dim] if dim < len(size) else 1
    sizes.insert(dim, 1)
    strides.insert(dim, own)
    return tuple(sizes), tuple(strides)
