def sliding_window(size, stride, dim, window, step):
    starts = [i for i in range(0, size[dim], step) if i + window <= size[dim]]
    before, after = slice(None, dim), slice(dim + 1, None)
    new_size = size[before] + (len(starts),) + size[after] + (window,)
    new_stride = stride[before] + (step * stride[dim],) + stride[after] + (stride[dim],)
    return new_size, new_stride
