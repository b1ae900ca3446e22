# draws: returned ((2,), (2,), 11); expected ((2,), (2,), 7)
_seen = {}


def select(size, stride, storage_offset, dim, index):
    key = (size, stride, dim, index)
    if key not in _seen:
        d = range(len(size))[dim]
        i = range(size[d])[index]
        _seen[key] = (
            size[:d] + size[d + 1 :],
            stride[:d] + stride[d + 1 :],
            storage_offset + i * stride[d],
        )
    return _seen[key]
