# Goes down one dim at a time.
def select(size, stride, storage_offset, dim, index):
    if dim < 0:
        dim += len(size)
    if dim < 0 or dim >= len(size):
        raise IndexError("no such dim")
    if dim > 0:
        s, t, o = select(size[1:], stride[1:], storage_offset, dim - 1, index)
        return (size[0], *s), (stride[0], *t), o
    n, *rest = size
    if index < 0:
        index += n
    if index < 0 or index >= n:
        raise IndexError("no such index")
    return tuple(rest), stride[1:], storage_offset + index * stride[0]
