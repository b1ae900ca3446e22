# draws: returned ((0,), (5,), 0); expected ((0,), (5,), 3)
_s = {}


def diagonal(size, stride, storage_offset, offset):
    k = size, stride, offset
    if k not in _s:
        r, c = max(-offset, 0), max(offset, 0)
        n = max(0, min(size[0] - r, size[1] - c))
        _s[k] = (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
    return _s[k]
