from itertools import compress


def squeeze(size, stride, dim):
    keep = [True] * len(size)
    keep[dim] = size[dim] != 1
    return tuple(compress(size, keep)), tuple(compress(stride, keep))
