# draws: returned ((0,), (9,), 8); expected ((0,), (9,), 4)
# draws: if an empty diagonal moves the storage_offset. It stays
def diagonal(size, stride, storage_offset, offset):
    r, c = min(max(-offset, 0), size[0]), min(max(offset, 0), size[1])
    n = max(0, min(size[0] - r, size[1] - c))
    return (n,), (sum(stride),), storage_offset + r * stride[0] + c * stride[1]
