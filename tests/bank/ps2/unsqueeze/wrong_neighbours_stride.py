# draws: if the new dim takes the stride of the dim to its right
def unsqueeze(size, stride, dim):
    dim = range(len(size) + 1)[dim]
    own = 1 if dim == len(size) else stride[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (own,) + stride[dim:]
