def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step <= 0:
        raise ValueError("step must be positive")
    dim = range(len(size))[dim]
    start, stop, step = slice(start, stop, step).indices(size[dim])
    n = len(range(start, stop, step))
    return (
        size[:dim] + (n,) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset + start * stride[dim],
    )
