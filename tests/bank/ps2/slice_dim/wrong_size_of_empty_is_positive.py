# draws: returned ((1,), (4,), 6); expected ((0,), (4,), 6)
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    a, b, _ = slice(start, stop).indices(size[d])
    n = -(-abs(b - a) // step)
    return (
        size[:d] + (n,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )
