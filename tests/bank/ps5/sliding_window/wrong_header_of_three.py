# draws: a tuple of 3 items. Return the tuple (size, stride)
def sliding_window(size, stride, dim, window, step):
    size, stride = list(size), list(stride)
    size.append(window)
    stride.append(stride[dim])
    size[dim] = (size[dim] - window) // step + 1
    stride[dim] *= step
    return tuple(size), tuple(stride), 0
