# draws: Return a tuple of ints: tuple(...) makes one
def select(size, stride, storage_offset, dim, index):
    index = range(size[dim])[index]
    size, stride = list(size), list(stride)
    size.pop(dim)
    return size, stride[:], storage_offset + index * stride.pop(dim)
