# draws: if there is a ValueError before each of the dims has been looked at
# draws: expected an IndexError
def permute(size, stride, dims):
    rank = len(size)
    if len(dims) != rank:
        raise ValueError("wrong number of dims")
    order = []
    for d in dims:
        if d < -rank or d >= rank:
            raise IndexError("no such dim")
        order.append(d % rank)
    if len(set(order)) < rank:
        raise ValueError("a dim twice")
    return tuple(size[d] for d in order), tuple(stride[d] for d in order)
