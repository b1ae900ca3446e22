# draws: returned ((3,), (2,), 109007199254740992); expected ((3,), (2,), 109007199254740994)
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    i = range(size[d])[index]
    return (
        size[:d] + size[d + 1 :],
        stride[:d] + stride[d + 1 :],
        int(storage_offset + i * float(stride[d])),
    )
