# draws: returned ((1, 3, 2), (10, 1, 10), 9); expected ((1, 3, 2), (10, 1, 5), 9)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    r = range(size[d])[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        tuple(s * step if s == stride[d] else s for s in stride),
        storage_offset + r.start * stride[d],
    )
