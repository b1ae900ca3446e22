# draws: returned ((2,), (2,), 18); expected an IndexError, because index -4 is outside of a dim of size 3
# draws: if an index that is outside is wrapped around
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    n = size[d]
    if index < 0:
        index += n
    if index >= n or index < -n:
        raise IndexError
    return (
        size[:d] + size[d + 1 :],
        stride[:d] + stride[d + 1 :],
        storage_offset + (index % n) * stride[d],
    )
