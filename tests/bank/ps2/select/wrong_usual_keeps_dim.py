# draws: this is what you get if the dim stays, with size 1
# draws: wrong in size and in stride
def select(size, stride, storage_offset, dim, index):
    if not -len(size) <= dim < len(size):
        raise IndexError
    dim %= len(size)
    if not -size[dim] <= index < size[dim]:
        raise IndexError
    index %= size[dim]
    new_size = list(size)
    new_size[dim] = 1
    return tuple(new_size), stride, storage_offset + index * stride[dim]
