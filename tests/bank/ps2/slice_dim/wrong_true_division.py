# draws: returned ((1, 3), (18014398509481984, 2), 109007199254740994); expected ((1, 3), (18014398509481986, 2), 109007199254740994)
from math import ceil


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = range(len(size))[dim]
    a, b, _ = slice(start, stop).indices(size[d])
    count = max(0, ceil((b - a) / step))
    return (
        size[:d] + (count,) + size[d + 1 :],
        stride[:d] + (int(stride[d] * float(step)),) + stride[d + 1 :],
        storage_offset + a * stride[d],
    )
