def squeeze(size, stride, dim):
    if dim not in range(-len(size), len(size)):
        raise IndexError(f"dim {dim}")
    keep = [
        d for d in range(len(size))
        if size[d] != 1 or (d != dim and d != dim + len(size))
    ]
    return tuple(size[d] for d in keep), tuple(stride[d] for d in keep)
