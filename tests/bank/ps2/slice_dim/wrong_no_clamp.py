# draws: if start and stop are not clamped into 0 to size
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError("step")
    n = size[dim]
    if start < 0:
        start += n
    if stop < 0:
        stop += n
    size, new_stride = list(size), list(stride)
    size[dim] = max(0, -(-(stop - start) // step))
    new_stride[dim] = stride[dim] * step
    return tuple(size), tuple(new_stride), storage_offset + start * stride[dim]
