# draws: returned ((), (), 4); expected an IndexError, because index 300 is outside of a dim of size 300
# draws: index 300 is outside of a dim of size 300.
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    n = size[d]
    if index is n or index > n or index < -n:
        raise IndexError
    return (
        size[:d] + size[d + 1 :],
        stride[:d] + stride[d + 1 :],
        storage_offset + (index % n if n else 0) * stride[d],
    )
