def squeeze(size, stride, dim):
    dim = range(len(size))[dim]
    if size[dim] != 1:
        return size, stride
    return size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :]
