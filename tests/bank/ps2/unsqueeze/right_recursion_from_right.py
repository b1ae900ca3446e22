def unsqueeze(size, stride, dim):
    if dim >= 0:
        dim -= len(size) + 1
    if dim >= 0 or dim < -len(size) - 1:
        raise IndexError
    if dim == -1:
        return size + (1,), stride + (1,)
    if dim == -2:
        return size[:-1] + (1, size[-1]), stride[:-1] + (size[-1] * stride[-1], stride[-1])
    s, t = unsqueeze(size[:-1], stride[:-1], dim + 1)
    return s + size[-1:], t + stride[-1:]
