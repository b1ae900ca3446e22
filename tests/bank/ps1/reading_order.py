# %% right: cached rows
from functools import cache


@cache
def rows(size, stride):
    if not size:
        return (0,)
    return tuple(i * stride[0] + p for i in range(size[0]) for p in rows(size[1:], stride[1:]))


def reading_order(size, stride, storage_offset):
    return [storage_offset + p for p in rows(size, stride)]


# %% right: flat numbers
from math import prod


def unravel(flat, size):
    index = []
    for n in reversed(size):
        index.append(flat % n)
        flat //= n
    return index[::-1]


def reading_order(size, stride, storage_offset):
    out = []
    for flat in range(prod(size)):
        at = storage_offset
        for i, s in zip(unravel(flat, size), stride):
            at += i * s
        out.append(at)
    return out


# %% right: growing
def reading_order(size, stride, storage_offset):
    block = [0]
    for d, n in sorted(enumerate(size), reverse=True):
        block = [i * stride[d] + rest for i in range(n) for rest in block]
    return [storage_offset + b for b in block]


# %% right: odometer
def reading_order(size, stride, storage_offset):
    if 0 in size:
        return []
    index = [0] * len(size)
    at = storage_offset
    out = [at]
    while True:
        d = len(size) - 1
        # turn back every wheel that is at its end
        while d >= 0 and index[d] == size[d] - 1:
            at -= index[d] * stride[d]
            index[d] = 0
            d -= 1
        if d < 0:
            return out
        index[d] += 1
        at += stride[d]
        out.append(at)


# %% right: outer sums
from functools import reduce


def reading_order(size, stride, storage_offset):
    hops = ([i * s for i in range(n)] for n, s in zip(size, stride))
    return reduce(
        lambda rows, storage: [a + b for a in rows for b in storage], hops, [storage_offset]
    )


# %% right: product
from itertools import product


def reading_order(size, stride, storage_offset):
    indices = product(*[range(n) for n in size])
    return [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in indices
    ]


# %% right: recursion
def reading_order(size, stride, storage_offset):
    if not size:
        return [storage_offset]
    positions = []
    for i in range(size[0]):
        positions += reading_order(size[1:], stride[1:], storage_offset + i * stride[0])
    return positions


# %% right: slow nested lists
def reading_order(size, stride, storage_offset):
    def grid(dims, at):
        if not dims:
            return at
        (n, s), *rest = dims
        return [grid(rest, at + i * s) for i in range(n)]

    def flatten(tree):
        return (
            [tree]
            if isinstance(tree, int)
            else [leaf for branch in tree for leaf in flatten(branch)]
        )

    return flatten(grid(list(zip(size, stride)), storage_offset))


# %% right: slow recursion per element
from math import prod


def reading_order(size, stride, storage_offset):
    def place(flat):
        at = storage_offset
        for n, s in zip(reversed(size), reversed(stride)):
            at, flat = at + flat % n * s, flat // n
        return at

    def walk(flat):
        if flat == prod(size):
            return []
        return [place(flat)] + walk(flat + 1)

    return walk(0)


# %% wrong, usual: storage order
# draws: hint: these are the right positions in storage order
# draws: list a position for each index, in row-major order of the indices, the last dim fastest
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return sorted(positions)


# %% wrong: 16 bits
# draws: returned [1, 40002, 14467, 4465, 44466, 18931]; expected [1, 40002, 80003, 70001, 110002, 150003].
from array import array


def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return list(array("H", [p & 0xFFFF for p in positions]))


# %% wrong: asks torch
# draws: reading_order calls torch.arange
import torch


def reading_order(size, stride, storage_offset):
    positions = torch.arange(10000)
    return positions.as_strided(size, stride, storage_offset).flatten().tolist()


# %% wrong: by dict of positions
# draws: returned [0, 1, 2, 3, 4]; expected [0, 1, 2, 2, 3, 4].
from itertools import product


def reading_order(size, stride, storage_offset):
    at = {
        storage_offset + sum(i * s for i, s in zip(index, stride)): index
        for index in product(*map(range, size))
    }
    return [p for p, _ in sorted(at.items(), key=lambda pair: pair[1])]


# %% wrong: cache without stride
# draws: returned [0, 3, 6, 0, 3, 6]; expected [0, 1, 2, 2, 3, 4].
known = {}


def reading_order(size, stride, storage_offset):
    if (size, sum(stride), storage_offset) not in known:
        positions = [storage_offset]
        for n, s in zip(size, stride):
            positions = [p + i * s for p in positions for i in range(n)]
        known[size, sum(stride), storage_offset] = positions
    return known[size, sum(stride), storage_offset]


# %% wrong: dense by extent and distinct
# draws: returned [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]; expected [0, 1, 2, 4, 5, 6, 5, 6, 7, 9, 10, 11]
from math import prod


def walk(size, stride, at):
    out = [at]
    for n, s in zip(size, stride):
        out = [p + i * s for p in out for i in range(n)]
    return out


def reading_order(size, stride, storage_offset):
    if 0 in size:
        return []
    extent = sum((n - 1) * s for n, s in zip(size, stride)) + 1
    if (
        extent == prod(size)
        and list(stride) == sorted(set(stride), reverse=True)
        and 0 not in stride
    ):
        return list(range(storage_offset, storage_offset + extent))
    return walk(size, stride, storage_offset)


# %% wrong: dims by stride
# draws: returned [0, 1, 1, 2, 2, 3]; expected [0, 1, 2, 1, 2, 3].
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for s, n in sorted(zip(stride, size), reverse=True):
        positions = [p + i * s for p in positions for i in range(n)]
    return positions


# %% wrong: mutable default
# draws: ; expected [0, 1, 2, 2, 3, 4]
# draws: Called again, by itself, it is right, so what it gives depends on other calls
def reading_order(size, stride, storage_offset, out=[]):
    out.clear()
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    out.extend(positions)
    return out


# %% wrong: rank 0
# draws: reading_order(size=(), stride=(), storage_offset=0) returned []; expected [0]
# draws: a tensor without dims has one element
from itertools import product


def reading_order(size, stride, storage_offset):
    if not size:
        return []
    return [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    ]


# %% wrong: six dims
# draws: list a position for each index, in row-major order of the indices, the last dim fastest
def reading_order(size, stride, storage_offset):
    k = 6 - len(size)
    if k < 0:
        size, stride, k = size[-6:], stride[-6:], 0
    a, b, c, d, e, f = (1,) * k + size
    p, q, r, s, t, u = (0,) * k + stride
    return [
        storage_offset + i * p + j * q + l * r + m * s + n * t + o * u
        for i in range(a)
        for j in range(b)
        for l in range(c)
        for m in range(d)
        for n in range(e)
        for o in range(f)
    ]


# %% wrong: sorted as text
# draws: returned [0, 11, 110, 121, 22, 33, 44, 55, 66, 77, 88, 99]; expected [0, 11, 22
from itertools import product


def reading_order(size, stride, storage_offset):
    indices = sorted(product(*map(range, size)), key=str)
    return [storage_offset + sum(i * s for i, s in zip(index, stride)) for index in indices]


# %% wrong: tuple
# draws: a tuple. Return a list of ints: list(...) makes one
def reading_order(size, stride, storage_offset):
    if not size:
        return (storage_offset,)
    return tuple(
        p
        for i in range(size[0])
        for p in reading_order(size[1:], stride[1:], storage_offset + i * stride[0])
    )


# %% wrong: up to three dims
# draws: [0, 1, 2, 3, 5, 6, 7, 8, 7, 8, 9, 10, 12, 13, 14, 15]: 1 item in place of 16.
def reading_order(size, stride, storage_offset):
    positions = [storage_offset]
    for n, step in zip(size, stride) if len(size) < 4 else ():
        positions = [position + i * step for position in positions for i in range(n)]
    return positions
