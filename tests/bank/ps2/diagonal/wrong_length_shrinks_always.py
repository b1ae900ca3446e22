# draws: if the length is min(size) - |offset|
def diagonal(size, stride, storage_offset, offset):
    n = max(0, min(size) - abs(offset))
    if n:
        storage_offset += offset * stride[1] if offset > 0 else -offset * stride[0]
    return (n,), (sum(stride),), storage_offset
