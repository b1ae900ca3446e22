# draws: if an empty diagonal moves the storage_offset
# draws: the storage_offset stays at
def diagonal(size, stride, storage_offset, offset):
    if offset >= 0:
        n = min(size[0], size[1] - offset)
        start = offset * stride[1]
    else:
        n = min(size[0] + offset, size[1])
        start = -offset * stride[0]
    return (max(n, 0),), (stride[0] + stride[1],), storage_offset + start
