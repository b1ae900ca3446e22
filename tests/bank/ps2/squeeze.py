# %% right: compress
from itertools import compress


def squeeze(size, stride, dim):
    keep = [True] * len(size)
    keep[dim] = size[dim] != 1
    return tuple(compress(size, keep)), tuple(compress(stride, keep))


# %% right: filter
def squeeze(size, stride, dim):
    if dim not in range(-len(size), len(size)):
        raise IndexError(f"dim {dim}")
    keep = [
        d for d in range(len(size))
        if size[d] != 1 or (d != dim and d != dim + len(size))
    ]
    return tuple(size[d] for d in keep), tuple(stride[d] for d in keep)


# %% right: pop
def squeeze(size, stride, dim):
    sizes, strides = list(size), list(stride)
    if sizes[dim] == 1:
        sizes.pop(dim)
        strides.pop(dim)
    return tuple(sizes), tuple(strides)


# %% right: recursive
def squeeze(size, stride, dim):
    if dim < 0:
        dim += len(size)
    if dim < 0:
        raise IndexError
    if not size:
        raise IndexError
    (n, *_), (s, *_) = size, stride
    if dim == 0:
        return (size[1:], stride[1:]) if n == 1 else (size, stride)
    a, b = squeeze(size[1:], stride[1:], dim - 1) if dim - 1 < len(size) - 1 else squeeze((), (), 0)
    return (n, *a), (s, *b)


# %% right: slices
def squeeze(size, stride, dim):
    dim = range(len(size))[dim]
    if size[dim] != 1:
        return size, stride
    return size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :]


# %% right: tuple subclass
class Sizes(tuple):
    def flatten(self, d):
        return Sizes(self[:d] + self[d + 1 :])


def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    torch, np = Sizes(size), Sizes(stride)
    return (torch.flatten(d), np.flatten(d)) if size[d] == 1 else (torch, np)


# %% wrong, usual: drops other sizes
# draws: if the dim is dropped whatever its size
# draws: only a dim of size 1 goes away
def squeeze(size, stride, dim):
    size, stride = list(size), list(stride)
    del size[dim], stride[dim]
    return tuple(size), tuple(stride)


# %% wrong: absent ignored without ones
# draws: returned ((2, 3), (1, 3)); expected an IndexError, because 2 is none of the dims -2 to 1 of a tensor of rank 2.
# draws: if a dim that is not there is let through
def squeeze(size, stride, dim):
    r = len(size)
    if 1 not in size:
        return size, stride
    d = range(r)[dim]
    if size[d] == 1:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride


# %% wrong: all of the same size
# draws: returned ((2,), (9, 3)); expected ((1, 2), (9, 3))
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] != 1:
        return size, stride
    return tuple(n for n in size if n is not size[d]), stride[:d] + stride[d + 1 :]


# %% wrong: all ones
# draws: if all dims of size 1 are dropped
def squeeze(size, stride, dim):
    if not -len(size) <= dim < len(size):
        raise IndexError
    kept = [(n, s) for n, s in zip(size, stride) if n != 1]
    return tuple(n for n, s in kept), tuple(s for n, s in kept)


# %% wrong: begins with one
# draws: returned ((3,), (9007199254740995,)); expected ((12, 3), (0, 9007199254740995))
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if str(size[d]).startswith("1"):
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride


# %% wrong: keeps one dim
# draws: returned ((1,), (5,)); expected ((), ())
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] == 1 and len(size) > 1:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride


# %% wrong: low byte
# draws: returned ((), ()); expected ((257,), (7,))
def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] & 0xFF == 1:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]
    return size, stride


# %% wrong: only once
# draws: returned ((1, 2), (1, 3)); expected ((2,), (3,))
# draws: if nothing is ever dropped
_done = set()


def squeeze(size, stride, dim):
    d = range(len(size))[dim]
    if size[d] != 1 or (size, stride, d) in _done:
        return size, stride
    _done.add((size, stride, d))
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :]


# %% wrong: refuses other sizes
# draws: if a dim of another size is refused
# draws: raised ValueError: cannot squeeze
def squeeze(size, stride, dim):
    if size[dim] != 1:
        raise ValueError("cannot squeeze a dim of size %d" % size[dim])
    size, stride = list(size), list(stride)
    size.pop(dim)
    stride.pop(dim)
    return tuple(size), tuple(stride)


# %% wrong: removes pair by value
# draws: returned ((2, 1), (5, 5)); expected ((1, 2), (5, 5))
def squeeze(size, stride, dim):
    p = list(zip(size, stride))
    if p[dim][0] == 1:
        p.remove(p[dim])
    return tuple(a for a, _ in p), tuple(b for _, b in p)


# %% wrong: removes the first one
# draws: returned ((2, 1), (9, 3)); expected ((1, 2), (9, 3))
def squeeze(size, stride, dim):
    s, t = list(size), list(stride)
    if s[dim] == 1:
        s.remove(1)
        t.remove(t[dim])
    return tuple(s), tuple(t)


# %% wrong: zip of nothing
# draws: raised ValueError: not enough values to unpack
# draws: expected ((), ())
def squeeze(size, stride, dim):
    p = list(zip(size, stride))
    if p[dim][0] == 1:
        p.pop(dim)
    s, t = zip(*p)
    return s, t


# %% wrong: counts from the right once more
# draws: squeeze(size=(2, 3), stride=(1, 3), dim=-3) returned ((2, 3), (1, 3)); expected an IndexError
def squeeze(size, stride, dim):
    if dim < 0:
        dim += len(size)
    if size[dim] != 1:
        return size, stride
    return size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :]
