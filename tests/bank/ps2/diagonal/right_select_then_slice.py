def move(size, stride, storage_offset, dim, by):
    rest = list(size)
    rest[dim] = max(rest[dim] - by, 0)
    return rest, storage_offset + by * stride[dim]


def diagonal(size, stride, storage_offset, offset):
    left, start = move(size, stride, storage_offset, int(offset > 0), abs(offset))
    n = min(left)
    return (n,), (sum(stride),), (start if n else storage_offset)
