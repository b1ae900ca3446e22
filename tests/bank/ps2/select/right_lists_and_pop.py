def check_range(number, n, what):
    if number >= n or number < -n:
        raise IndexError(f"{what} {number} is not there")
    if number < 0:
        return number + n
    return number


def select(size, stride, storage_offset, dim, index):
    new_size = list(size)
    new_stride = list(stride)
    dim = check_range(dim, len(new_size), "dim")
    n = new_size.pop(dim)
    step = new_stride.pop(dim)
    index = check_range(index, n, "index")
    storage_offset += step * index
    return tuple(new_size), tuple(new_stride), storage_offset
