# draws: if only the sizes change places
# draws: size 2 keeps its stride 7, and size 3 its stride 2
def transpose(size, stride, dim0, dim1):
    new_size = list(size)
    new_size[dim0], new_size[dim1] = size[dim1], size[dim0]
    return tuple(new_size), stride
