# draws: returned ((2, 0), (7, 0), 4); expected a ValueError, because the step is 0, and it has to be at least 1
def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    d = range(len(size))[dim]
    if d == 0 and step < 1:
        raise ValueError
    n = size[d]
    a, b, _ = slice(start, stop).indices(n)
    count = max(0, -((a - b) // step)) if step else 0
    return (
        size[:d] + (count,) + size[d + 1 :],
        stride[:d] + (stride[d] * step,) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )
