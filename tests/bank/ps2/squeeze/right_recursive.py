def squeeze(size, stride, dim):
    if dim < 0:
        dim += len(size)
    if dim < 0:
        raise IndexError
    if not size:
        raise IndexError
    (n, *_), (s, *_) = size, stride
    if dim == 0:
        return (size[1:], stride[1:]) if n == 1 else (size, stride)
    a, b = squeeze(size[1:], stride[1:], dim - 1) if dim - 1 < len(size) - 1 else squeeze((), (), 0)
    return (n, *a), (s, *b)
