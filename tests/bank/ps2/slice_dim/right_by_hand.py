def clamp(bound, n):
    if bound < 0:
        bound = bound + n
    if bound < 0:
        return 0
    if bound > n:
        return n
    return bound


def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if dim < 0:
        dim = dim + len(size)
    if dim < 0 or dim >= len(size):
        raise IndexError("dim out of range")
    if step < 1:
        raise ValueError("step")
    n = size[dim]
    first = clamp(start, n)
    last = clamp(stop, n)
    # count them one by one
    count = 0
    i = first
    while i < last:
        count += 1
        i += step
    sizes = list(size)
    strides = list(stride)
    sizes[dim] = count
    strides[dim] *= step
    return tuple(sizes), tuple(strides), storage_offset + first * stride[dim]
