# draws: raised ZeroDivisionError: integer modulo by zero; expected an IndexError
# draws: because a tensor of rank 0 has no dims
def select(size, stride, storage_offset, dim, index):
    dim = dim % len(size)
    index = index % size[dim]
    keep = [d for d in range(len(size)) if d != dim]
    return (
        tuple(size[d] for d in keep),
        tuple(stride[d] for d in keep),
        storage_offset + index * stride[dim],
    )
