def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    d = [*range(len(size))][dim]
    if d:
        s, t, o = slice_dim(size[1:], stride[1:], storage_offset, d - 1, start, stop, step)
        return size[:1] + s, stride[:1] + t, o
    a, b, c = slice(start, stop, step).indices(size[0])

    def to(i):
        return 0 if i >= b else 1 + to(i + c)

    return (to(a),) + size[1:], (stride[0] * c,) + stride[1:], storage_offset + a * stride[0]
