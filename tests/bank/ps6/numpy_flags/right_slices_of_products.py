from math import prod


def numpy_flags(shape, byte_strides, itemsize):
    rank, is_empty = len(shape), 0 in shape
    c = all(shape[d] == 1 or byte_strides[d] == itemsize * prod(shape[d + 1 :]) for d in range(rank))
    f = all(shape[d] == 1 or byte_strides[d] == itemsize * prod(shape[:d]) for d in range(rank))
    return is_empty or c, is_empty or f
