from math import prod


def c_strides(size):
    # a 0 counts as 1, or everything to its left would become 0
    counted = [n or 1 for n in size]
    return tuple(prod(counted[d + 1:]) for d in range(len(size)))
