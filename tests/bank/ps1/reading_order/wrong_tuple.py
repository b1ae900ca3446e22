# draws: a tuple. Return a list of ints: list(...) makes one
def reading_order(size, stride, storage_offset):
    if not size:
        return (storage_offset,)
    return tuple(
        p
        for i in range(size[0])
        for p in reading_order(size[1:], stride[1:], storage_offset + i * stride[0])
    )
