# draws: returned ((3,), (7,), 4); expected an IndexError, because index -4 is outside of a dim of size 2
# draws: if an index that is outside is wrapped around
def select(size, stride, storage_offset, dim, index):
    r = len(size)
    if dim == r or dim == -r - 1 or r == 0:
        raise IndexError
    d = dim % len(size)
    n = size[d]
    if index == n or index == -n - 1 or n == 0:
        raise IndexError
    i = index % n
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset + i * stride[d]
