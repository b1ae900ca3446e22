# draws: returned ((1,), (2,), 4); expected ((1,), (9,), 4)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    s = stride[1] if size[0] == 1 else stride[0] if size[1] == 1 else sum(stride)
    return (n,), (s,), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
