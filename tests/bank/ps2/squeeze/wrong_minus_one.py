# draws: dim + 1 is 0
def squeeze(size, stride, dim):
    if size[dim] == 1:
        return size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :]
    return size, stride
