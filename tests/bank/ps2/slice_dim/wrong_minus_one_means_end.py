# draws: returned ((3,), (2,), 4); expected ((2,), (2,), 4)
# draws: if a stop of -1 means the end. It
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    if stop == -1:
        stop = n
    r = range(n)[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )
