from math import prod


def unravel(flat, size):
    return tuple(
        flat // prod(size[d + 1:]) % size[d]
        for d in range(len(size))
    )
