# draws: returned ((2, 1), (1, 5)); expected ((1, 2), (5, 1))
def squeeze(size, stride, dim):
    p = list(zip(size, stride))
    if p[dim][0] == 1:
        p.remove(p[dim])
    return tuple(a for a, _ in p), tuple(b for _, b in p)
