# draws: wrong in size and in stride
# draws: dims 0 and 1 change places
def transpose(size, stride, dim0, dim1):
    size, stride = list(size), list(stride)
    size[dim0] = size[dim1]
    size[dim1] = size[dim0]
    stride[dim0] = stride[dim1]
    stride[dim1] = stride[dim0]
    return tuple(size), tuple(stride)
