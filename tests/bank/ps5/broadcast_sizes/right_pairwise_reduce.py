import functools


def two(a, b):
    if len(a) < len(b):
        a, b = b, a
    b = (1,) * (len(a) - len(b)) + b
    out = ()
    for x, y in zip(a, b):
        if x == y or y == 1:
            out += (x,)
        elif x == 1:
            out += (y,)
        else:
            raise ValueError
    return out


def broadcast_sizes(*sizes):
    return functools.reduce(two, sizes)
