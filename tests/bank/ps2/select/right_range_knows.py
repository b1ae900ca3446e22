def select(size, stride, storage_offset, dim, index):
    dim = range(len(size))[dim]
    index = range(size[dim])[index]
    return (
        size[:dim] + size[dim + 1 :],
        stride[:dim] + stride[dim + 1 :],
        storage_offset + index * stride[dim],
    )
