# draws: if a negative index is multiplied as it is
# draws: index -1 of a dim of size 2 is index 1
def select(size, stride, storage_offset, dim, index):
    dim = range(len(size))[dim]
    if not -size[dim] <= index < size[dim]:
        raise IndexError("no such index")
    return (
        size[:dim] + size[dim + 1 :],
        stride[:dim] + stride[dim + 1 :],
        storage_offset + index * stride[dim],
    )
