# draws: raised ValueError: not enough values to unpack
# draws: expected ((), ())
def squeeze(size, stride, dim):
    p = list(zip(size, stride))
    if p[dim][0] == 1:
        p.pop(dim)
    s, t = zip(*p)
    return s, t
