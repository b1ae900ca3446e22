# draws: calls is_contiguous in line 4. isContiguous may read only the header: size, shape, stride, dim, ndim and numel.
# draws: isContiguous may read only the header: size, shape, stride, dim, ndim and numel.
def isContiguous(tensor):
    return tensor.is_contiguous()
