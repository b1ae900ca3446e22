# draws: returned ((0,), (2,), 4); expected ((0,), (2,), 11)
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    i = range(size[d])[index]
    if 0 in size:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset + i * stride[d]
