# draws: returned ((0,), (9,), 6); expected ((0,), (9,), 4)
# draws: returned ((0,), (9,), 6); expected ((0,), (9,), 4): wrong in storage_offset.
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = max(0, min(size[0] - r, size[1] - c))
    moves = c < size[1] if offset >= 0 else r < size[0]
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if moves else 0)
