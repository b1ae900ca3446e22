def diagonal(size, stride, storage_offset, offset):
    if offset < 0:
        # the transposed matrix has it above
        return diagonal(size[::-1], stride[::-1], storage_offset, -offset)
    n = min(size[0], size[1] - offset)
    step = (stride[0] + stride[1],)
    if n <= 0:
        return (0,), step, storage_offset
    return (n,), step, storage_offset + offset * stride[1]
