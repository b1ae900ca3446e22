def sliding_window(size, stride, dim, window, step):
    size = list(size)
    stride = list(stride)
    size.append(window)
    stride.append(stride[dim])
    size[dim] = (size[dim] - window) // step + 1
    stride[dim] *= step
    return tuple(size), tuple(stride)
