# draws: a list. Return a tuple of ints: tuple(...) makes one
def c_strides(size):
    stride = [1] * len(size)
    for d in range(len(size) - 2, -1, -1):
        stride[d] = stride[d + 1] * max(size[d + 1], 1)
    return stride
