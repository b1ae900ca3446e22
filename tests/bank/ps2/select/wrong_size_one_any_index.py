# draws: returned ((), (), 0); expected an IndexError, because index 1 is outside of a dim of size 1
# draws: if an index that is outside is wrapped around
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    n = size[d]
    if n != 1 and not -n <= index < n:
        raise IndexError
    i = index % n
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset + i * stride[d]
