# draws: returned ((4, 3, 1, 2), (1, 7, 7, 60)); expected ((2, 1, 3, 4), (60, 7, 7, 1))
_seen = {}


def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = r[dim0], r[dim1]
    key = (len(size), a + b)
    if key not in _seen:
        o = list(r)
        o[a], o[b] = o[b], o[a]
        _seen[key] = o
    return tuple(size[d] for d in _seen[key]), tuple(stride[d] for d in _seen[key])
