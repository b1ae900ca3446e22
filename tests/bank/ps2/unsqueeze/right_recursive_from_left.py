def unsqueeze(size, stride, dim):
    if dim < 0:
        dim += len(size) + 1
    if dim < 0 or dim > len(size):
        raise IndexError
    return put(size, stride, dim)


def put(size, stride, dim):
    if dim:
        s, t = put(size[1:], stride[1:], dim - 1)
        return size[:1] + s, stride[:1] + t
    if not size:
        return (1,), (1,)
    return (1,) + size, (size[0] * stride[0],) + stride
