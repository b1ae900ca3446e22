# draws: returned ((3,), (7,), 4); expected an IndexError, because index 2 is outside of a dim of size 2
# draws: if an index that is outside is wrapped around
def select(size, stride, storage_offset, dim, index):
    dim = dim % len(size)
    index = index % size[dim]
    keep = [d for d in range(len(size)) if d != dim]
    return (
        tuple(size[d] for d in keep),
        tuple(stride[d] for d in keep),
        storage_offset + index * stride[dim],
    )
