# draws: returned ((2,), (5,), 0); expected ((0,), (5,), 0)
def diagonal(size, stride, storage_offset, offset):
    if abs(offset) > sum(size):
        offset = 0
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
