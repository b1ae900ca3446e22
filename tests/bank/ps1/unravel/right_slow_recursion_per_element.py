def unravel(flat, size):
    if flat == 0:
        return (0,) * len(size)
    index = list(unravel(flat - 1, size))
    dim = len(size) - 1
    while index[dim] == size[dim] - 1:
        index[dim] = 0
        dim -= 1
    index[dim] += 1
    return tuple(index)
