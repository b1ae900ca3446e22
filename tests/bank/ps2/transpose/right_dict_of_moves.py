def transpose(size, stride, dim0, dim1):
    rank = len(size)
    for d in (dim0, dim1):
        if d < -rank or d > rank - 1:
            raise IndexError("there is no dim %d" % d)
    a = dim0 % rank
    b = dim1 % rank
    comes_from = {a: b, b: a}
    new_size = ()
    new_stride = ()
    for d in range(rank):
        source = comes_from.get(d, d)
        new_size += (size[source],)
        new_stride += (stride[source],)
    return new_size, new_stride
