# draws: if the dim leaves the size and not the stride
# draws: wrong in stride
# draws: so it goes away, with its stride
def squeeze(size, stride, dim):
    dim = range(len(size))[dim]
    if size[dim] == 1:
        size = size[:dim] + size[dim + 1 :]
    return size, stride
