# %% right: names in hex
from functools import reduce
from itertools import product


def lines_touched(size, stride, storage_offset, itemsize, line):
    names = []
    for index in product(*map(range, size)):
        rows = reduce(
            lambda total, pair: total + pair[0] * pair[1], zip(index, stride), storage_offset
        )
        names.append(format(rows * itemsize // line, "x"))
    return len({*names})


# %% right: names that hide
def lines_touched(size, stride, storage_offset, itemsize, line):
    def storage(dim, position):
        if dim == len(size):
            yield position // (line // itemsize)
        else:
            for i in range(size[dim]):
                yield from storage(dim + 1, position + i * stride[dim])

    check, count, np = object(), 0, set()
    for now in storage(0, storage_offset):
        count += now != check
        check = now
        np.add(now)
    return len(np)


# %% right: recursive mask
def lines_touched(size, stride, storage_offset, itemsize, line):
    per_line = line // itemsize

    def mask(dims, position):
        if not dims:
            return 1 << position // per_line
        (n, s), *rest = dims
        found = 0
        for i in range(n):
            found |= mask(rest, position + i * s)
        return found

    return bin(mask(list(zip(size, stride)), storage_offset)).count("1")


# %% right: set
from itertools import product


def lines_touched(size, stride, storage_offset, itemsize, line):
    touched = set()
    for index in product(*[range(n) for n in size]):
        position = storage_offset
        for i, s in zip(index, stride):
            position += i * s
        touched.add(position * itemsize // line)
    return len(touched)


# %% right: sorted
from dataclasses import dataclass


@dataclass
class Header:
    size: tuple
    stride: tuple
    offset: int

    def starts(self, itemsize):
        count = 1
        for n in self.size:
            count *= n
        for flat in range(count):
            place = self.offset
            for n, s in zip(reversed(self.size), reversed(self.stride)):
                flat, i = divmod(flat, n)
                place += i * s
            yield place * itemsize


def lines_touched(size, stride, storage_offset, itemsize, line):
    starts = sorted(Header(size, stride, storage_offset).starts(itemsize))
    count, last = 0, None
    for start in starts:
        if start // line != last:
            count, last = count + 1, start // line
    return count


# %% wrong, usual: numel
# draws: hint: this is what you get from numel × itemsize / line
from math import ceil, prod


def lines_touched(size, stride, storage_offset, itemsize, line):
    return ceil(prod(size) * itemsize / line)


# %% wrong: cache by offset in line
# draws: expected 2
# draws: so position p is on line
K = {}


def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [p * itemsize // line for p in positions]
    return K.setdefault((size, stride, storage_offset % 8, line // itemsize), len(set(lines)))


# %% wrong: cache without offset
# draws: so position p is on line
KNOWN = {}


def lines_touched(size, stride, storage_offset, itemsize, line):
    key = size, stride, itemsize, line
    if key not in KNOWN:
        positions = [storage_offset]
        for n, s in zip(size, stride):
            positions = [p + i * s for p in positions for i in range(n)]
        KNOWN[key] = len({p * itemsize // line for p in positions})
    return KNOWN[key]


# %% wrong: empty
# draws: raised ValueError: max()
# draws: , in line 5 (`hit = [False] * (max(positions) * itemsize // line + 1)`); expected 0.
# draws: there are no elements, so no line is visited
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    hit = [False] * (max(positions) * itemsize // line + 1)
    for p in positions:
        hit[p * itemsize // line] = True
    return sum(hit)


# %% wrong: mutable default
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line, lines=[]):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines += [p * itemsize // line for p in positions]
    return len(set(lines))


# %% wrong: numpy
# draws: This exercise is plain Python on numbers
import numpy as np


def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = np.full(size, storage_offset)
    for dim, grid in enumerate(np.indices(size)):
        positions += grid * stride[dim]
    return int(np.unique(positions * itemsize // line).size)


# %% wrong: power of two per line
# draws: returned 3; expected 2.
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    per = 1 << ((line // itemsize).bit_length() - 1)
    lines = [p // per for p in positions]
    return len(set(lines))


# %% wrong: rounds lines
# draws: expected 1
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    lines = [round(p * itemsize / line) for p in positions]
    return len(set(lines))


# %% wrong: rows added up
# draws: returned 6; expected 5.
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    per = line // itemsize
    rows = [storage_offset]
    for n, s in zip(size[:-1], stride[:-1]):
        rows = [p + i * s for p in rows for i in range(n)]
    if 0 in size:
        return 0
    if not size:
        return 1
    return sum(len({(r + i * stride[-1]) // per for i in range(size[-1])}) for r in set(rows))


# %% wrong: shift
# draws: so position p is on line
def lines_touched(size, stride, storage_offset, itemsize, line):
    positions = [storage_offset]
    for n, s in zip(size, stride):
        positions = [p + i * s for p in positions for i in range(n)]
    return len({p * itemsize >> (line.bit_length() - 1) for p in positions})
