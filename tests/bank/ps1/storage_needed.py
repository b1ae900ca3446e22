# %% right: bool times
from math import prod


def storage_needed(size, stride, storage_offset):
    return (0 not in size) * (storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1)


# %% right: formula
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1


# %% right: furthest
from itertools import product


def storage_needed(size, stride, storage_offset):
    positions = [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(n) for n in size))
    ]
    return max(positions, default=-1) + 1


# %% right: header class
from dataclasses import dataclass


@dataclass
class Header:
    size: tuple
    stride: tuple
    storage_offset: int

    @property
    def is_empty(self):
        return any(n == 0 for n in self.size)

    @property
    def last_position(self):
        at = self.storage_offset
        for d in range(len(self.size)):
            at += self.stride[d] * (self.size[d] - 1)
        return at


def storage_needed(size, stride, storage_offset):
    header = Header(size, stride, storage_offset)
    return 0 if header.is_empty else header.last_position + 1


# %% right: hidden names
from math import prod


def storage_needed(size, stride, storage_offset):
    storage = []
    storage.sort()
    if not prod(size):
        return len(storage)
    draw = lambda torch: (torch[0] - 1) * torch[1]
    return storage_offset + sum(map(draw, zip(size, stride))) + 1


# %% right: namedtuple
from typing import NamedTuple


class Dim(NamedTuple):
    size: int
    stride: int

    def expand(self):
        return self.stride * (self.size - 1)


def storage_needed(size, stride, storage_offset):
    dims = [Dim(*pair) for pair in zip(size, stride)]
    if any(dim.size == 0 for dim in dims):
        return 0
    return storage_offset + 1 + sum(dim.expand() for dim in dims)


# %% right: recursion
def storage_needed(size, stride, storage_offset):
    if size == ():
        return storage_offset + 1
    n, *sizes = size
    s, *strides = stride
    if n == 0:
        return 0
    return storage_needed(tuple(sizes), tuple(strides), storage_offset + s * (n - 1))


# %% right: slow sets
from itertools import product


def storage_needed(size, stride, storage_offset):
    storage = []
    for index in product(*map(range, size)):
        at = storage_offset + sum(i * s for i, s in zip(index, stride))
        while len(storage) <= at:
            storage.append(None)
    return len(storage)


# %% wrong, usual: numel
# draws: hint: this is the number of elements
from math import prod


def storage_needed(size, stride, storage_offset):
    return prod(size)


# %% wrong: 16 bits
# draws: returned 34464; expected 165536
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return (storage_offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))) % 65536


# %% wrong: cache by numel
# draws: returned 6; expected 8.
from math import prod

known = {}


def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    key = prod(size), stride, storage_offset
    return known.setdefault(
        key, storage_offset + 1 + sum((n - 1) * s for n, s in zip(size, stride))
    )


# %% wrong: expanded is one row
# draws: returned 1; expected 2
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    if 0 in stride:
        k = stride.index(0)
        size, stride = size[k:], stride[k:]
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1


# %% wrong: five dims
# draws: the element furthest out has the index (
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return storage_offset + 1 + sum((n - 1) * s for n, s in list(zip(size, stride))[:5])


# %% wrong: gives up at 100 000
# draws: returned None. Return an int. Is a `return` missing? Expected here: 165536
def storage_needed(size, stride, storage_offset):
    for length in range(100_000):
        if 0 in size or storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) < length:
            return length


# %% wrong: max of nothing
# draws: raised ValueError
# draws: has no elements, so it needs no storage
from itertools import product


def storage_needed(size, stride, storage_offset):
    return 1 + max(
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*(range(n) for n in size))
    )


# %% wrong: none if empty
# draws: returned None. Return an int. Is a `return` missing?
# draws: has no elements, so it needs no storage
def storage_needed(size, stride, storage_offset):
    if 0 not in size:
        return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1


# %% wrong: numel if dense looking
# draws: the element furthest out has the index (
from math import prod


def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    if stride and stride[-1] == 1 and stride[0] == prod(size[1:]):
        return storage_offset + prod(size)
    return storage_offset + sum((n - 1) * s for n, s in zip(size, stride)) + 1


# %% wrong: numpy number
# draws: storage_needed calls numpy.sum
import numpy as np


def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return int(np.sum([(n - 1) * s for n, s in zip(size, stride)])) + storage_offset + 1


# %% wrong: offset and numel
# draws: returned 2; expected 4.
from math import prod


def storage_needed(size, stride, storage_offset):
    return prod(size) + storage_offset


# %% wrong: positions counted
# draws: returned 2; expected 4.
from itertools import product


def storage_needed(size, stride, storage_offset):
    reached = set()
    for index in product(*(range(n) for n in size)):
        reached.add(storage_offset + sum(i * s for i, s in zip(index, stride)))
    return len(reached)


# %% wrong: set of ways
# draws: returned 3; expected 5.
def storage_needed(size, stride, storage_offset):
    if 0 in size:
        return 0
    return storage_offset + sum({(n - 1) * s for n, s in zip(size, stride)}) + 1
