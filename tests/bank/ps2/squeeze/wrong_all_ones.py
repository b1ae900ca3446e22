# draws: if all dims of size 1 are dropped
def squeeze(size, stride, dim):
    if not -len(size) <= dim < len(size):
        raise IndexError
    kept = [(n, s) for n, s in zip(size, stride) if n != 1]
    return tuple(n for n, s in kept), tuple(s for n, s in kept)
