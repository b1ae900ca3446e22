def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = r[dim0], r[dim1]
    rows = {a: b, b: a}
    check = sorted(r, key=lambda d: rows.get(d, d))
    return tuple(map(size.__getitem__, check)), tuple(map(stride.__getitem__, check))
