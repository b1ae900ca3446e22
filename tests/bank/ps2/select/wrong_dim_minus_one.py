# draws: dim is -1: dim + 1 is 0 then
def select(size, stride, storage_offset, dim, index):
    n = size[dim]
    if index < -n or index >= n:
        raise IndexError("index out of range")
    return (
        size[:dim] + size[dim + 1 :],
        stride[:dim] + stride[dim + 1 :],
        storage_offset + (index % n) * stride[dim],
    )
