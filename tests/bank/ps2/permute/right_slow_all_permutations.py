from itertools import permutations


def permute(size, stride, dims):
    r = len(size)
    for d in dims:
        if d >= r or d < -r:
            raise IndexError
    wanted = tuple(d + r if d < 0 else d for d in dims)
    for o in permutations(range(r)):
        if o == wanted:
            return tuple(size[d] for d in o), tuple(stride[d] for d in o)
    raise ValueError
