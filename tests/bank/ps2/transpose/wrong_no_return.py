# draws: returned None. Return the tuple (size, stride)
def transpose(size, stride, dim0, dim1):
    size = list(size)
    size[dim0], size[dim1] = size[dim1], size[dim0]
    stride = list(stride)
    stride[dim0], stride[dim1] = stride[dim1], stride[dim0]
