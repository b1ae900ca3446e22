# %% right: dataclass
from dataclasses import dataclass


@dataclass
class Dim:
    number: int
    size: int
    stride: int


def select(size, stride, storage_offset, dim, index):
    dims = [Dim(d, n, s) for d, (n, s) in enumerate(zip(size, stride))]
    wanted = dims[dim]  # a list raises IndexError by itself
    if not (-wanted.size <= index < wanted.size):
        raise IndexError(index)
    rest = [d for d in dims if d.number != wanted.number]
    return (
        tuple(d.size for d in rest),
        tuple(d.stride for d in rest),
        storage_offset + (index % wanted.size) * wanted.stride,
    )


# %% right: lists and pop
def check_range(number, n, what):
    if number >= n or number < -n:
        raise IndexError(f"{what} {number} is not there")
    if number < 0:
        return number + n
    return number


def select(size, stride, storage_offset, dim, index):
    new_size = list(size)
    new_stride = list(stride)
    dim = check_range(dim, len(new_size), "dim")
    n = new_size.pop(dim)
    step = new_stride.pop(dim)
    index = check_range(index, n, "index")
    storage_offset += step * index
    return tuple(new_size), tuple(new_stride), storage_offset


# %% right: names of libraries
import functools


@functools.cache
def select(size, stride, storage_offset, dim, index):
    match dim < -len(size) or dim >= len(size):
        case True:
            raise IndexError
    np = range(len(size)).index(range(len(size))[dim])
    storage = list(range(size[np]))
    at = storage[index]
    check = itertools_free(np)
    return check(size), check(stride), storage_offset + at * stride[np]


def itertools_free(d):
    return lambda t: tuple(x for k, x in enumerate(t) if k != d)


# %% right: range knows
def select(size, stride, storage_offset, dim, index):
    dim = range(len(size))[dim]
    index = range(size[dim])[index]
    return (
        size[:dim] + size[dim + 1 :],
        stride[:dim] + stride[dim + 1 :],
        storage_offset + index * stride[dim],
    )


# %% right: recursive
# Goes down one dim at a time.
def select(size, stride, storage_offset, dim, index):
    if dim < 0:
        dim += len(size)
    if dim < 0 or dim >= len(size):
        raise IndexError("no such dim")
    if dim > 0:
        s, t, o = select(size[1:], stride[1:], storage_offset, dim - 1, index)
        return (size[0], *s), (stride[0], *t), o
    n, *rest = size
    if index < 0:
        index += n
    if index < 0 or index >= n:
        raise IndexError("no such index")
    return tuple(rest), stride[1:], storage_offset + index * stride[0]


# %% right: slow walks
def select(size, stride, storage_offset, dim, index):
    d = 0
    names = []
    for k in range(len(size)):
        names.append((k, k - len(size)))
    found = [k for k, pair in enumerate(names) if dim in pair]
    if not found:
        raise IndexError
    d = found[0]
    walk = storage_offset
    for i in range(size[d]):
        if index in (i, i - size[d]):
            return (
                tuple(size[k] for k in range(len(size)) if k != d),
                tuple(stride[k] for k in range(len(size)) if k != d),
                walk,
            )
        walk += stride[d]
    raise IndexError("no such index")


# %% right: subclass of index error
class NoSuchDim(IndexError):
    pass


class Header:
    def __init__(self, *parts):
        self.parts = parts

    def contiguous(self):
        return self

    def to(self, d, i):
        size, stride, offset = self.parts
        return (
            tuple(n for k, n in enumerate(size) if k != d),
            tuple(s for k, s in enumerate(stride) if k != d),
            offset + i * stride[d],
        )


def select(size, stride, storage_offset, dim, index):
    if dim + len(size) not in range(2 * len(size)):
        raise NoSuchDim(dim)
    d = dim % len(size)
    if index + size[d] not in range(2 * size[d]):
        raise NoSuchDim(index)
    return Header(size, stride, storage_offset).contiguous().to(d, index % size[d])


# %% wrong, usual: keeps dim
# draws: this is what you get if the dim stays, with size 1
# draws: wrong in size and in stride
def select(size, stride, storage_offset, dim, index):
    if not -len(size) <= dim < len(size):
        raise IndexError
    dim %= len(size)
    if not -size[dim] <= index < size[dim]:
        raise IndexError
    index %= size[dim]
    new_size = list(size)
    new_size[dim] = 1
    return tuple(new_size), stride, storage_offset + index * stride[dim]


# %% wrong: accepts everything
# draws: returned ((3,), (2,), 4); expected an IndexError, because index 2 is outside of a dim of size 2.
def select(size, stride, storage_offset, dim, index):
    dim = dim % len(size)
    index = index % size[dim]
    keep = [d for d in range(len(size)) if d != dim]
    return (
        tuple(size[d] for d in keep),
        tuple(stride[d] for d in keep),
        storage_offset + index * stride[dim],
    )


# %% wrong: adds size then wraps
# draws: returned ((3,), (2,), 11); expected an IndexError, because index -3 is outside of a dim of size 2.
# draws: if an index that is outside is wrapped around
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    n = size[d]
    if index < 0:
        index += n
    if index >= n or index < -n:
        raise IndexError
    return (
        size[:d] + size[d + 1 :],
        stride[:d] + stride[d + 1 :],
        storage_offset + (index % n) * stride[d],
    )


# %% wrong: cache by hash
# draws: returned ((3,), (2,), 4); expected ((2,), (7,), 6).
_seen = {}


def select(size, stride, storage_offset, dim, index):
    # -1 and -2 have the same hash
    key = hash((size, stride, storage_offset, dim, index))
    if key not in _seen:
        d = range(len(size))[dim]
        i = range(size[d])[index]
        _seen[key] = (
            size[:d] + size[d + 1 :],
            stride[:d] + stride[d + 1 :],
            storage_offset + i * stride[d],
        )
    return _seen[key]


# %% wrong: cache without offset
# draws: returned ((), (), 10); expected ((), (), 14)
_seen = {}


def select(size, stride, storage_offset, dim, index):
    key = (size, stride, dim, index)
    if key not in _seen:
        d = range(len(size))[dim]
        i = range(size[d])[index]
        _seen[key] = (
            size[:d] + size[d + 1 :],
            stride[:d] + stride[d + 1 :],
            storage_offset + i * stride[d],
        )
    return _seen[key]


# %% wrong: dim minus one
# draws: dim is -1: dim + 1 is 0 then
def select(size, stride, storage_offset, dim, index):
    n = size[dim]
    if index < -n or index >= n:
        raise IndexError("index out of range")
    return (
        size[:dim] + size[dim + 1 :],
        stride[:dim] + stride[dim + 1 :],
        storage_offset + (index % n) * stride[dim],
    )


# %% wrong: dims sorted as strings
# draws: returned ((2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), (1, 2, 1024, 2048, 4, 8, 16, 64, 128, 256, 512), 33); expected ((2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2), (1, 2, 4, 8, 16, 64, 128, 256, 512, 1024, 2048), 33)
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    i = range(size[d])[index]
    names = sorted(str(k) for k in range(len(size)))
    names.remove(str(d))
    return (
        tuple(size[int(k)] for k in names),
        tuple(stride[int(k)] for k in names),
        storage_offset + i * stride[d],
    )


# %% wrong: empty does not move
# draws: returned ((0,), (7,), 4); expected ((0,), (7,), 6)
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    i = range(size[d])[index]
    if 0 in size:
        return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset + i * stride[d]


# %% wrong: float offset
# draws: returned ((3,), (2,), 109007199254740992); expected ((3,), (2,), 109007199254740994)
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    i = range(size[d])[index]
    return (
        size[:d] + size[d + 1 :],
        stride[:d] + stride[d + 1 :],
        int(storage_offset + i * float(stride[d])),
    )


# %% wrong: is between numbers
# draws: returned ((2,), (1,), 3); expected an IndexError
# draws: index 300 is outside of a dim of size 300.
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    n = size[d]
    if index is n or index > n or index < -n:
        raise IndexError
    return (
        size[:d] + size[d + 1 :],
        stride[:d] + stride[d + 1 :],
        storage_offset + (index % n if n else 0) * stride[d],
    )


# %% wrong: lists
# draws: It should be a tuple of ints: tuple(...) makes one
def select(size, stride, storage_offset, dim, index):
    index = range(size[dim])[index]
    size, stride = list(size), list(stride)
    size.pop(dim)
    return size, stride[:], storage_offset + index * stride.pop(dim)


# %% wrong: negative index
# draws: if a negative index is multiplied as it is
# draws: returned ((2,), (7,), 0); expected ((2,), (7,), 6)
def select(size, stride, storage_offset, dim, index):
    dim = range(len(size))[dim]
    if not -size[dim] <= index < size[dim]:
        raise IndexError("no such index")
    return (
        size[:dim] + size[dim + 1 :],
        stride[:dim] + stride[dim + 1 :],
        storage_offset + index * stride[dim],
    )


# %% wrong: only nearest outside
# draws: returned ((3,), (2,), 4); expected an IndexError, because index 6 is outside of a dim of size 2.
def select(size, stride, storage_offset, dim, index):
    r = len(size)
    if dim == r or dim == -r - 1 or r == 0:
        raise IndexError
    d = dim % len(size)
    n = size[d]
    if index == n or index == -n - 1 or n == 0:
        raise IndexError
    i = index % n
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset + i * stride[d]


# %% wrong: remove pair by value
# draws: returned ((3, 2), (1, 5), 9); expected ((2, 3), (5, 1), 9)
def select(size, stride, storage_offset, dim, index):
    i = range(size[dim])[index]
    pairs = list(zip(size, stride))
    pairs.remove(pairs[dim])
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs), storage_offset + i * stride[dim]


# %% wrong: size one any index
# draws: returned ((2,), (2,), 4); expected an IndexError, because index 1 is outside of a dim of size 1.
def select(size, stride, storage_offset, dim, index):
    d = range(len(size))[dim]
    n = size[d]
    if n != 1 and not -n <= index < n:
        raise IndexError
    i = index % n
    return size[:d] + size[d + 1 :], stride[:d] + stride[d + 1 :], storage_offset + i * stride[d]


# %% wrong: torch
# draws: select calls torch.
# draws: plain Python on numbers
import torch


def select(size, stride, storage_offset, dim, index):
    t = torch.empty(10000).as_strided(size, stride, storage_offset)
    t = t.select(dim, index)
    return tuple(t.size()), tuple(t.stride()), t.storage_offset()


# %% wrong: value error
# draws: expected an IndexError
# draws: raised ValueError: bad index
def select(size, stride, storage_offset, dim, index):
    dim = range(len(size))[dim]
    if not -size[dim] <= index < size[dim]:
        raise ValueError("bad index")
    index %= size[dim]
    size, stride = list(size), list(stride)
    del size[dim]
    step = stride.pop(dim)
    return tuple(size), tuple(stride), storage_offset + index * step


# %% wrong: key error
# draws: select(size=(2, 3), stride=(60, 7), storage_offset=2, dim=2, index=0) raised KeyError
def select(size, stride, storage_offset, dim, index):
    rank = len(size)
    dims = {dim % rank: dim % rank for dim in range(rank)}
    dim = dims[dim + rank if dim < 0 else dim]
    index = range(size[dim])[index]
    offset = storage_offset + index * stride[dim]
    return size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :], offset


# %% wrong: looks whether a negative index is outside
# draws: hint: this is what you get if an index of n or more is let through
def select(size, stride, storage_offset, dim, index):
    size, stride = [*size], [*stride]
    n, step = size.pop(dim), stride.pop(dim)
    if index < -n:
        raise IndexError(index)
    return tuple(size), tuple(stride), storage_offset + (index + n * (index < 0)) * step
