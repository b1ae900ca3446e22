# draws: returned ((2,), (9,), 4); expected ((0,), (9,), 4)
def diagonal(size, stride, storage_offset, offset):
    if size[1] and offset >= size[1]:
        offset %= size[1]
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
