# draws: returned ((3, 2, 2), (1, 5, 5)); expected ((2, 2, 3), (5, 5, 1))
def transpose(size, stride, dim0, dim1):
    p = list(zip(size, stride))
    a, b = p.index(p[dim0]), p.index(p[dim1])
    p[a], p[b] = p[b], p[a]
    return tuple(x for x, _ in p), tuple(x for _, x in p)
