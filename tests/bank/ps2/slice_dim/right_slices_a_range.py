def slice_dim(size, stride, storage_offset, dim, start, stop, step):
    if step < 1:
        raise ValueError
    dims = list(zip(size, stride))
    n, s = dims[dim]
    taken = range(n)[start:stop:step]
    dims[dim] = (len(taken), s * step)
    return tuple(d[0] for d in dims), tuple(d[1] for d in dims), storage_offset + s * taken.start
