# draws: returned ((0, 3), (0, 2), 18); expected a ValueError, because the step is 0, and it has to be at least 1
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    d = range(len(size))[dim]
    if step < 0:
        raise ValueError
    a, b, _ = slice(start, stop).indices(size[d])
    n = 0 if b <= a else len(range(a, b, step))
    return (
        size[:d] + (n,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )
