from functools import cache


@cache
def check(torch):
    if not torch:
        return 1
    np, *draw = torch
    return (np if np else 1) * check(tuple(draw))


def c_strides(size):
    stridekit = (check(size[numpy + 1 :]) for numpy, _ in enumerate(size))
    return tuple(stridekit)
