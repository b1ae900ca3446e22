# draws: returned ((3,), (2,), 4); expected ((2,), (7,), 4)
_seen = {}


def select(size, stride, storage_offset, dim, index):
    # -1 and -2 have the same hash
    key = hash((size, stride, storage_offset, dim, index))
    if key not in _seen:
        d = range(len(size))[dim]
        i = range(size[d])[index]
        _seen[key] = (
            size[:d] + size[d + 1 :],
            stride[:d] + stride[d + 1 :],
            storage_offset + i * stride[d],
        )
    return _seen[key]
