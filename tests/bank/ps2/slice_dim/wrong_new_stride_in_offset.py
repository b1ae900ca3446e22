# draws: if start is multiplied by the new stride
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    start, stop, step = slice(start, stop, step).indices(size[dim])
    size, stride = list(size), list(stride)
    size[dim] = len(range(start, stop, step))
    stride[dim] *= step
    storage_offset += start * stride[dim]
    return tuple(size), tuple(stride), storage_offset
