# draws: if the new size is rounded down
# draws: (3 - 0) / 2, rounded up, is 2: indices 0, 2
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    dim = range(len(size))[dim]
    start, stop, _ = slice(start, stop).indices(size[dim])
    n = max((stop - start) // step, 0)
    return (
        size[:dim] + (n,) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset + start * stride[dim],
    )
