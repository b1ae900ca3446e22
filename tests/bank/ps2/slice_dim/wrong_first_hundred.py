# draws: returned ((99,), (2,), 6); expected ((299,), (2,), 6)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    r = [i for i in range(100) if i < size[d]][start:stop:step]
    a = slice(start, stop).indices(size[d])[0]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )
