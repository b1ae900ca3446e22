# draws: expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2
# draws: wrapped around, such as with %
def transpose(size, stride, dim0, dim1):
    a, b = dim0 % len(size), dim1 % len(size)
    order = list(range(len(size)))
    order[a] = b
    order[b] = a
    return tuple(size[d] for d in order), tuple(stride[d] for d in order)
