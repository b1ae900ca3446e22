# draws: returned ((3, 2), (1, 5), 9); expected ((2, 3), (5, 1), 9)
def select(size, stride, storage_offset, dim, index):
    i = range(size[dim])[index]
    pairs = list(zip(size, stride))
    pairs.remove(pairs[dim])
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs), storage_offset + i * stride[dim]
