# draws: hint: this is row-major order: here the first dim has to have stride 1
def f_strides(size):
    stride = [1] * len(size)
    for d in reversed(range(len(size) - 1)):
        stride[d] = stride[d + 1] * max(size[d + 1], 1)
    return tuple(stride)
