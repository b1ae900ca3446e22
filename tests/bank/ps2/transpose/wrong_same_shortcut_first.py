# draws: returned ((2, 3), (60, 7)); expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if a dim that is not there is wrapped
def transpose(size, stride, dim0, dim1):
    if dim0 == dim1:
        return size, stride
    o = list(range(len(size)))
    o[dim0], o[dim1] = o[dim1], o[dim0]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
