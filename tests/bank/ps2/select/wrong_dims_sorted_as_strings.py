# draws: returned ((3, 1, 4, 1, 4, 2, 3, 1, 4, 2, 3), (7, 11, 20, 7, 1, 0, 12, 2, 300, 5, 3), 62); expected ((3, 1, 4, 2, 3, 1, 4, 2, 3, 1, 4), (7, 7, 1, 0, 12
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    i = range(size[d])[index]
    names = sorted(str(k) for k in range(len(size)))
    names.remove(str(d))
    return (
        tuple(size[int(k)] for k in names),
        tuple(stride[int(k)] for k in names),
        storage_offset + i * stride[d],
    )
