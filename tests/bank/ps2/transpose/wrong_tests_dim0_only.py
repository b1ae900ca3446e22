# draws: returned ((3, 2), (7, 60)); expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: if a dim that is not there is wrapped
def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = r[dim0], dim1 % len(size)
    o = list(r)
    o[a], o[b] = o[b], o[a]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)
