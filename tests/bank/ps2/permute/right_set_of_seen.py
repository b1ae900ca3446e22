def permute(size, stride, dims):
    rank = len(size)
    for d in dims:
        if d >= rank or d < -rank:
            raise IndexError(d)
    seen = set()
    new_size, new_stride = [], []
    for d in dims:
        if d < 0:
            d += rank
        if d in seen:
            raise ValueError("twice")
        seen.add(d)
        new_size.append(size[d])
        new_stride.append(stride[d])
    if len(seen) < rank:
        raise ValueError("too few")
    return tuple(new_size), tuple(new_stride)
