# %% right: class with to
class Grid:
    def __init__(self, size, stride):
        self.dims = [*zip(size, stride)]

    def flatten(self):
        return tuple(n for n, _ in self.dims), tuple(s for _, s in self.dims)

    def to(self, a, b):
        self.dims[a], self.dims[b] = self.dims[b], self.dims[a]
        return self


def transpose(size, stride, dim0, dim1):
    return Grid(size, stride).to(dim0, dim1).flatten()


# %% right: dict of moves
def transpose(size, stride, dim0, dim1):
    rank = len(size)
    for d in (dim0, dim1):
        if d < -rank or d > rank - 1:
            raise IndexError("there is no dim %d" % d)
    a = dim0 % rank
    b = dim1 % rank
    comes_from = {a: b, b: a}
    new_size = ()
    new_stride = ()
    for d in range(rank):
        source = comes_from.get(d, d)
        new_size += (size[source],)
        new_stride += (stride[source],)
    return new_size, new_stride


# %% right: pairs
def transpose(size, stride, dim0, dim1):
    pairs = [*zip(size, stride)]
    pairs[dim0], pairs[dim1] = pairs[dim1], pairs[dim0]
    new_size, new_stride = zip(*pairs)
    return new_size, new_stride


# %% right: recursion named contiguous
def transpose(size, stride, dim0, dim1):
    n = len(size)
    if not (-n <= dim0 < n and -n <= dim1 < n):
        raise IndexError
    a, b = sorted((dim0 % n, dim1 % n))

    def contiguous(t, d=0):
        if d == n:
            return ()
        return (t[b if d == a else a if d == b else d], *contiguous(t, d + 1))

    return contiguous(size), contiguous(stride)


# %% right: sorted by key
def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = r[dim0], r[dim1]
    rows = {a: b, b: a}
    check = sorted(r, key=lambda d: rows.get(d, d))
    return tuple(map(size.__getitem__, check)), tuple(map(stride.__getitem__, check))


# %% right: swap in lists
def transpose(size, stride, dim0, dim1):
    size, stride = list(size), list(stride)
    size[dim0], size[dim1] = size[dim1], size[dim0]
    stride[dim0], stride[dim1] = stride[dim1], stride[dim0]
    return tuple(size), tuple(stride)


# %% wrong, usual: sizes only
# draws: if only the sizes change places
# draws: returned ((3, 2), (7, 2)); expected ((3, 2), (2, 7))
def transpose(size, stride, dim0, dim1):
    new_size = list(size)
    new_size[dim0], new_size[dim1] = size[dim1], size[dim0]
    return tuple(new_size), stride


# %% wrong: cache by sum of dims
# draws: returned ((2, 2, 2, 2, 2), (12, 6, 3, 24, 48)); expected ((2, 2, 2, 2, 2), (3, 6, 12, 24, 48))
_seen = {}


def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = r[dim0], r[dim1]
    key = (len(size), a + b)
    if key not in _seen:
        o = list(r)
        o[a], o[b] = o[b], o[a]
        _seen[key] = o
    return tuple(size[d] for d in _seen[key]), tuple(stride[d] for d in _seen[key])


# %% wrong: compares with negative
# draws: returned ((3, 3), (2, 2)); expected ((3, 2), (2, 7))
def transpose(size, stride, dim0, dim1):
    n = len(size)
    o = list(range(n))
    o[dim0], o[dim1]

    def f(k):
        return dim1 % n if k == dim0 else dim0 % n if k == dim1 else k

    return tuple(size[f(k)] for k in range(n)), tuple(stride[f(k)] for k in range(n))


# %% wrong: cuts with negative
# draws: returned ((2, 2, 3, 3), (7, 7, 2, 2)); expected ((3, 2), (2, 7))
def swap(t, a, b):
    if a > b:
        a, b = b, a
    if a == b:
        return t
    return t[:a] + (t[b],) + t[a + 1 : b] + (t[a],) + t[b + 1 :]


def transpose(size, stride, dim0, dim1):
    return swap(size, dim0, dim1), swap(stride, dim0, dim1)


# %% wrong: dims as digits
# draws: returned ((2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), (1, 2, 4, 9, 16, 32, 64, 256, 128, 512, 2, 1)); expected ((2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), (1, 2, 4, 9, 16, 32, 64, 256, 128, 512, 1024))
def transpose(size, stride, dim0, dim1):
    names = [str(d) for d in range(len(size))]
    names[dim0], names[dim1] = names[dim1], names[dim0]
    text = "".join(names)
    return tuple(size[int(c)] for c in text), tuple(stride[int(c)] for c in text)


# %% wrong: equal sizes stay
# draws: returned ((2, 2), (7, 2)); expected ((2, 2), (2, 7))
def transpose(size, stride, dim0, dim1):
    o = list(range(len(size)))
    a, b = o[dim0], o[dim1]
    if size[a] == size[b]:
        return size, stride
    o[a], o[b] = o[b], o[a]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: finds pair by value
# draws: returned ((3, 2, 2), (1, 5, 5)); expected ((2, 2, 3), (5, 5, 1))
def transpose(size, stride, dim0, dim1):
    p = list(zip(size, stride))
    a, b = p.index(p[dim0]), p.index(p[dim1])
    p[a], p[b] = p[b], p[a]
    return tuple(x for x, _ in p), tuple(x for _, x in p)


# %% wrong: no return
# draws: returned None. Return the tuple (size, stride)
def transpose(size, stride, dim0, dim1):
    size = list(size)
    size[dim0], size[dim1] = size[dim1], size[dim0]
    stride = list(stride)
    stride[dim0], stride[dim1] = stride[dim1], stride[dim0]


# %% wrong: reversed
# draws: if all dims are turned round
def transpose(size, stride, dim0, dim1):
    if max(dim0, dim1) >= len(size) or min(dim0, dim1) < -len(size):
        raise IndexError
    return tuple(reversed(size)), tuple(reversed(stride))


# %% wrong: same shortcut first
# draws: returned ((2, 3), (7, 2)); expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2.
# draws: if a dim that is named twice is never looked for
def transpose(size, stride, dim0, dim1):
    if dim0 == dim1:
        return size, stride
    o = list(range(len(size)))
    o[dim0], o[dim1] = o[dim1], o[dim0]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: tests dim0 only
# draws: returned ((3, 2), (2, 7)); expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2.
# draws: if a dim that is not there is wrapped
def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = r[dim0], dim1 % len(size)
    o = list(r)
    o[a], o[b] = o[b], o[a]
    return tuple(size[d] for d in o), tuple(stride[d] for d in o)


# %% wrong: turns dims between round
# draws: returned ((2, 2, 2, 2, 2), (1, 2, 4, 8, 16)); expected ((2, 2, 2, 2, 2), (1, 8, 4, 2, 16))
def transpose(size, stride, dim0, dim1):
    r = range(len(size))
    a, b = sorted((r[dim0], r[dim1]))
    return size[:a] + size[a : b + 1][::-1] + size[b + 1 :], stride[:a] + stride[a : b + 1][
        ::-1
    ] + stride[b + 1 :]
