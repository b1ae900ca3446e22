# draws: returned ((3, 2), (7, 2), 4); expected ((2, 2), (7, 2), 11)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    if start <= 0 and stop >= n:
        return (
            size[:d] + ((n + step - 1) // step,) + size[d + 1 :],
            stride[:d] + (stride[d] * step,) + stride[d + 1 :],
            storage_offset,
        )
    r = range(n)[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )
