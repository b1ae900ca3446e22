# draws: does not return: it was stopped
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    dim = range(len(size))[dim]
    start, stop, _ = slice(start, stop).indices(size[dim])
    count, i = 0, start
    while i < stop:
        i, count = i + step, count + 1
    return (
        size[:dim] + (count,) + size[dim + 1 :],
        stride[:dim] + (stride[dim] * step,) + stride[dim + 1 :],
        storage_offset + start * stride[dim],
    )
