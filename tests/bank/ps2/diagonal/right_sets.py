def diagonal(size, stride, storage_offset, offset):
    contiguous = {(i, i + offset) for i in range(size[0])} & {
        (j - offset, j) for j in range(size[1])
    }
    step = stride[0] + stride[1]
    if not contiguous:
        return (0,), (step,), storage_offset
    i, j = min(contiguous)
    return (len(contiguous),), (step,), storage_offset + i * stride[0] + j * stride[1]
