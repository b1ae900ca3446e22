# draws: returned ((), (), 0); expected an IndexError, because 1 is none of the dims -1 to 0 of a tensor of rank 1.
# draws: returned ((), (), 0); expected an IndexError, because 1 is none of the dims -1 to 0 of a tensor of rank 1.
def select(size, stride, storage_offset, dim, index):
    dim = dim % len(size)
    index = index % size[dim]
    keep = [d for d in range(len(size)) if d != dim]
    return (
        tuple(size[d] for d in keep),
        tuple(stride[d] for d in keep),
        storage_offset + index * stride[dim],
    )
