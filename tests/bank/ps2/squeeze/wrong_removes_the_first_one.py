# draws: returned ((2, 1), (9, 3)); expected ((1, 2), (9, 3))
# draws: if the first dim of size 1 leaves the
def squeeze(size, stride, dim):
    s, t = list(size), list(stride)
    if s[dim] == 1:
        s.remove(1)
        t.remove(t[dim])
    return tuple(s), tuple(t)
