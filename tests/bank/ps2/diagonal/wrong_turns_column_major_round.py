# draws: returned ((1,), (4,), 1); expected ((2,), (4,), 3)
def diagonal(size, stride, storage_offset, offset):
    if stride[0] < stride[1]:
        size, stride, offset = size[::-1], stride[::-1], offset
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
