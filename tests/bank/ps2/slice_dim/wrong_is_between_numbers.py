# draws: returned ((298,), (2,), 6); expected ((299,), (2,), 6)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    n = size[d]
    if stop is n:
        r = range(n)[start::step]
    elif stop >= n:
        r = range(n)[start : n - 1 if stop == n else n : step]
    else:
        r = range(n)[start:stop:step]
    return (
        size[:d] + (len(r),) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + r.start * stride[d],
    )
