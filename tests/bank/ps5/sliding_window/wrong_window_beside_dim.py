# draws: hint: this is what you get if the new dim stands beside the one it came from
def sliding_window(size, stride, dim, window, step):
    size, stride = list(size), list(stride)
    size[dim : dim + 1] = [(size[dim] - window) // step + 1, window]
    stride[dim : dim + 1] = [stride[dim] * step, stride[dim]]
    return tuple(size), tuple(stride)
