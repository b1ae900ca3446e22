# draws: if a positive offset goes down and a negative one right
def diagonal(size, stride, storage_offset, offset):
    i, j = max(offset, 0), max(-offset, 0)
    n = max(0, min(size[0] - i, size[1] - j))
    if n > 0:
        storage_offset += i * stride[0] + j * stride[1]
    return (n,), (sum(stride),), storage_offset
