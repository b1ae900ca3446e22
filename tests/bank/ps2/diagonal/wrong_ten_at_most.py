# draws: returned ((10,), (52,), 3); expected ((12,), (52,), 3)
def diagonal(size, stride, storage_offset, offset):
    r, c = max(-offset, 0), max(offset, 0)
    n = 0
    for k in range(10):
        if r + k < size[0] and c + k < size[1]:
            n += 1
    return (n,), (sum(stride),), storage_offset + (r * stride[0] + c * stride[1] if n else 0)
