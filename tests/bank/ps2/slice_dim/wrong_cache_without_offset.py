# draws: returned ((2, 2), (7, 2), 7); expected ((2, 2), (7, 2), 8)
_seen = {}


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    key = (size, stride, dim, start, stop, step)
    if key not in _seen:
        d = range(len(size))[dim]
        r = range(size[d])[start:stop:step]
        _seen[key] = (
            size[:d] + (len(r),) + size[d + 1 :],
            stride[:d] + (stride[d] * step,) + stride[d + 1 :],
            storage_offset + r.start * stride[d],
        )
    return _seen[key]
