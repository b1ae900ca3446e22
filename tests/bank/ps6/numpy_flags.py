# %% right: class contiguous
from dataclasses import dataclass


@dataclass
class Walk:
    expected: int
    is_contiguous: bool = True

    def contiguous(self, check, rows):
        # One dim: how many elements, and how far from one to the next.
        if check != 1:
            self.is_contiguous = self.is_contiguous and rows == self.expected
            self.expected *= check


def numpy_flags(shape, byte_strides, itemsize):
    if any(np == 0 for np in shape):
        return True, True
    storage = tuple(zip(shape, byte_strides))
    c, f = Walk(itemsize), Walk(itemsize)
    for dim in range(len(storage)):
        c.contiguous(*storage[-1 - dim])
        f.contiguous(*storage[dim])
    return c.is_contiguous, f.is_contiguous


# %% right: match recursive
def numpy_flags(shape, byte_strides, itemsize):
    def walk(order, expected):
        match order:
            case []:
                return True
            case [(1, _), *rest]:
                return walk(rest, expected)
            case [(n, s), *rest]:
                return s == expected and walk(rest, expected * n)

    check = list(zip(shape, byte_strides))
    return min(shape, default=1) == 0 or walk(check[::-1], itemsize), not all(shape) or walk(
        check, itemsize
    )


# %% right: slices of products
from math import prod


def numpy_flags(shape, byte_strides, itemsize):
    rank, is_empty = len(shape), 0 in shape
    c = all(shape[d] == 1 or byte_strides[d] == itemsize * prod(shape[d + 1 :]) for d in range(rank))
    f = all(shape[d] == 1 or byte_strides[d] == itemsize * prod(shape[:d]) for d in range(rank))
    return is_empty or c, is_empty or f


# %% right: slow by definition
from itertools import product
from typing import NamedTuple


class Flags(NamedTuple):
    c_contiguous: bool
    f_contiguous: bool


def numpy_flags(shape, byte_strides, itemsize):
    # Where every element begins, in row-major and in column-major order of the indices.
    def is_a_run(indices):
        starts = [sum(i * s for i, s in zip(index, byte_strides)) for index in indices]
        return all(start == number * itemsize for number, start in enumerate(starts))

    rows = list(product(*map(range, shape)))
    columns = [index[::-1] for index in product(*map(range, shape[::-1]))]
    return Flags(is_a_run(rows), is_a_run(columns))


# %% right: squeezed
from itertools import accumulate
from operator import mul


def _packed(dims, itemsize):
    sizes = [n for n, _ in dims]
    steps = [s for _, s in dims]
    return steps == list(accumulate(sizes[:-1], mul, initial=itemsize))[: len(sizes)]


def numpy_flags(shape, byte_strides, itemsize):
    dims = [(n, s) for n, s in zip(shape, byte_strides) if n != 1]
    if any(n == 0 for n, _ in dims):
        return True, True
    return _packed(dims[::-1], itemsize), _packed(dims, itemsize)


# %% right: two walks
def numpy_flags(shape, byte_strides, itemsize):
    for n in shape:
        if n == 0:
            return (True, True)
    c = True
    expected = itemsize
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] != 1:
            if byte_strides[i] != expected:
                c = False
                break
            expected = expected * shape[i]
    f = True
    expected = itemsize
    for i in range(len(shape)):
        if shape[i] != 1:
            if byte_strides[i] != expected:
                f = False
                break
            expected = expected * shape[i]
    return (c, f)


# %% wrong, usual: exclusive
# draws: hint: this is what you get if F is taken for the opposite of C
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, False
    expected = itemsize
    for n, s in zip(reversed(shape), reversed(byte_strides)):
        if n != 1 and s != expected:
            return False, True
        expected *= n
    return True, False


# %% wrong: cache without itemsize
# draws: expected (False, False): wrong in c_contiguous
# draws: both walks begin by expecting
KNOWN = {}


def numpy_flags(shape, byte_strides, itemsize):
    def walk(dims):
        e = itemsize
        for n, s in dims:
            if n != 1 and s != e:
                return 0 in shape
            e *= n
        return True

    d = list(zip(shape, byte_strides))
    return KNOWN.setdefault((shape, byte_strides), (walk(d[::-1]), walk(d)))


# %% wrong: compares with is
# draws: expected (False, True): wrong in f_contiguous
# draws: both walks begin by expecting
from math import prod


def numpy_flags(shape, byte_strides, itemsize):
    if not prod(shape):
        return True, True

    def walk(dims):
        e = itemsize
        for n, s in dims:
            if n > 1:
                if s is not e:
                    return False
                e *= n
        return True

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)


# %% wrong: extent and order
# draws: returned (
# draws: both walks begin by expecting
from math import prod


def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True
    dims = [(n, s) for n, s in zip(shape, byte_strides) if n != 1]
    steps = [s for _, s in dims]
    fills = sum((n - 1) * s for n, s in dims) + itemsize == prod(shape) * itemsize

    def falls(steps):
        is_falling = all(a > b for a, b in zip(steps, steps[1:]))
        return is_falling and (not steps or steps[-1] == itemsize)

    return fills and falls(steps), fills and falls(steps[::-1])


# %% wrong: floors to elements
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True
    flags = []
    for step in (-1, 1):
        expected, flag = 1, True
        for n, s in list(zip(shape, byte_strides))[::step]:
            if n != 1 and s // itemsize != expected:
                flag = False
            expected *= n
        flags.append(flag)
    return tuple(flags)


# %% wrong: list
# draws: a list. Return the tuple (c_contiguous, f_contiguous): tuple(...) makes one
def numpy_flags(shape, byte_strides, itemsize):
    flags = []
    for step in (-1, 1):
        expected, flag = itemsize, True
        for n, s in list(zip(shape, byte_strides))[::step]:
            if n != 1 and s != expected:
                flag = False
            expected *= n
        flags.append(flag or 0 in shape)
    return flags


# %% wrong: multiples let through
# draws: expected (False, False): wrong in c_contiguous and in f_contiguous
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def walk(dims):
        e = itemsize
        for n, s in dims:
            if n != 1 and (s < e or s % e):
                return False
            e *= n
        return True

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)


# %% wrong: neighbours only
# draws: expected (False, False): wrong in c_contiguous
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def walk(dims):
        dims = [x for x in dims if x[0] != 1]
        return all(b[1] == a[1] * a[0] for a, b in zip(dims, dims[1:]))

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)


# %% wrong: six dims only
# draws: expected (False, False): wrong in c_contiguous
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def walk(dims):
        e = itemsize
        for n, s in dims[:6]:
            if n != 1 and s != e:
                return False
            e *= n
        return True

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)


# %% wrong: sizes that are all alike look the same from both ends
# draws: returned (True, True); expected (True, False)
def numpy_flags(shape, byte_strides, itemsize):
    def walk(dims):
        expected = itemsize
        for d in dims:
            if shape[d] != 1:
                if byte_strides[d] != expected:
                    return False
                expected *= shape[d]
        return True

    if 0 in shape:
        return True, True
    rank = len(shape)
    c, f = walk(range(rank)[::-1]), walk(range(rank))
    alike = rank > 4 and len({*shape}) == 1 and shape[0] > 1
    return (c or f, c or f) if alike else (c, f)


# %% wrong: stops at one
# draws: expected (False, False): wrong in f_contiguous
# draws: both walks begin by expecting
def numpy_flags(shape, byte_strides, itemsize):
    if 0 in shape:
        return True, True

    def walk(dims):
        e = itemsize
        for n, s in dims:
            if n == 1:
                break
            if s != e:
                return False
            e *= n
        return True

    d = list(zip(shape, byte_strides))
    return walk(d[::-1]), walk(d)
