# draws: expected an IndexError, because 1 is none of the dims -1 to 0
# draws: wrapped around with %
def transpose(size, stride, dim0, dim1):
    a, b = dim0 % len(size), dim1 % len(size)
    order = list(range(len(size)))
    order[a] = b
    order[b] = a
    return tuple(size[d] for d in order), tuple(stride[d] for d in order)
