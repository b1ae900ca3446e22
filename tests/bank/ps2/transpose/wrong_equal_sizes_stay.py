# draws: returned ((2, 2), (7, 2)); expected ((2, 2), (2, 7))
def transpose(size, stride, dim0, dim1):
    o = list(range(len(size)))
    a, b = o[dim0], o[dim1]
    if size[a] == size[b]:
        return size, stride
    o[a], o[b] = o[b], o[a]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
