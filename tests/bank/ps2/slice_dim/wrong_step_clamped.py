# draws: returned ((1, 3), (14, 2), 11); expected ((1, 3), (21, 2), 11)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    r = range(n)[start:stop:step]
    if step > n > 0:
        step = n
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )
