# draws: if the new stride is always 1
def unsqueeze(size, stride, dim):
    dim = range(len(size) + 1)[dim]
    return size[:dim] + (1,) + size[dim:], stride[:dim] + (1,) + stride[dim:]
