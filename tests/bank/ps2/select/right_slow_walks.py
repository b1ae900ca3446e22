def select(size, stride, storage_offset, dim, index):
    d = 0
    names = []
    for k in range(len(size)):
        names.append((k, k - len(size)))
    found = [k for k, pair in enumerate(names) if dim in pair]
    if not found:
        raise IndexError
    d = found[0]
    walk = storage_offset
    for i in range(size[d]):
        if index in (i, i - size[d]):
            return (
                tuple(size[k] for k in range(len(size)) if k != d),
                tuple(stride[k] for k in range(len(size)) if k != d),
                walk,
            )
        walk += stride[d]
    raise IndexError("no such index")
