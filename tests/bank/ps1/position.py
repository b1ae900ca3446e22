# %% right: class
from dataclasses import dataclass


@dataclass
class Pointer:
    at: int

    def to(self, i, step):
        return Pointer(self.at + i * step)

    def item(self):
        return self.at


def position(index, stride, storage_offset):
    pointer = Pointer(storage_offset)
    for i, step in zip(index, stride):
        pointer = pointer.to(i, step)
    return pointer.item()


# %% right: hidden names
def position(index, stride, storage_offset):
    rows = set()
    for np, (torch, check) in enumerate(zip(index, stride)):
        rows.add((np, torch * check))
    return storage_offset + sum(storage for _, storage in rows)


# %% right: loop
def position(index, stride, storage_offset):
    where = storage_offset
    for i, step in zip(index, stride):
        where = where + i * step
    return where


# %% right: match
def position(index, stride, storage_offset):
    match index, stride:
        case (), ():
            return storage_offset
        case (i, *index), (step, *stride):
            return position(tuple(index), tuple(stride), storage_offset + i * step)


# %% right: recursion
def position(index, stride, storage_offset):
    if not index:
        return storage_offset
    *outer, i = index
    *steps, step = stride
    return position(outer, steps, storage_offset + i * step)


# %% right: sumprod
import operator


def position(index, stride, storage_offset):
    return sum(map(operator.mul, index, stride), storage_offset)


# %% right: walk
def position(index, stride, storage_offset):
    # really walk there, one step at a time
    at = storage_offset
    for dim in range(len(index)):
        for _ in range(index[dim]):
            at += stride[dim]
    return at


# %% wrong, usual: no offset
# draws: position(index=(1, 1), stride=(1, 5), storage_offset=2) returned 6; expected 8
# draws: hint: this is what you get if storage_offset is forgotten
def position(index, stride, storage_offset):
    return sum(i * s for i, s in zip(index, stride))


# %% wrong: all pairs
# draws: returned 14; expected 8.
def position(index, stride, storage_offset):
    return storage_offset + sum(i * s for i in index for s in stride)


# %% wrong: asks numpy
# draws: position calls numpy.dot
import numpy as np


def position(index, stride, storage_offset):
    return int(np.dot(index, stride)) + storage_offset


# %% wrong: breaks at zero stride
# draws: returned 2; expected 8.
def position(index, stride, storage_offset):
    for i, s in zip(index, stride):
        if not s:
            return storage_offset
        storage_offset += i * s
    return storage_offset


# %% wrong: cache by digits
# draws: returned 35; expected 25.
known = {}


def position(index, stride, storage_offset):
    key = "".join(map(str, (*index, ":", *stride, ":", storage_offset)))
    if key not in known:
        known[key] = storage_offset + sum(i * s for i, s in zip(index, stride))
    return known[key]


# %% wrong: dict by stride
# draws: returned 5; expected 8
def position(index, stride, storage_offset):
    steps = dict(zip(stride, index))
    return storage_offset + sum(s * i for s, i in steps.items())


# %% wrong: float numbers
# draws: returned 100000000000327680; expected 100000000000327681.
def position(index, stride, storage_offset):
    where = float(storage_offset)
    for i, s in zip(index, stride):
        where += i * s
    return int(where)


# %% wrong: forgot return
# draws: returned None. Return an int. Is a `return` missing?
def position(index, stride, storage_offset):
    at = storage_offset
    for i, s in zip(index, stride):
        at += i * s


# %% wrong: index as digits
# draws: returned 4; expected 14
def position(index, stride, storage_offset):
    where = storage_offset
    for digit, step in zip("".join(map(str, index)), stride):
        where += int(digit) * step
    return where


# %% wrong: int32
# draws: start at storage_offset, and go index[dim] × stride[dim] further in each dim
from ctypes import c_int32


def position(index, stride, storage_offset):
    return c_int32(storage_offset + sum(i * s for i, s in zip(index, stride))).value


# %% wrong: nine dims
# draws: returned 67; expected 68
def position(index, stride, storage_offset):
    return storage_offset + sum(index[int(d)] * s for d, s in zip("0123456789", stride))


# %% wrong: two dims only
# draws: position(index=(), stride=(), storage_offset=1) raised
# draws: the one element lies at storage_offset, 1
def position(index, stride, storage_offset):
    if len(index) == 1:
        return storage_offset + index[0] * stride[0]
    row, column, *more = index
    at = storage_offset + row * stride[0] + column * stride[1]
    for i, s in zip(more, stride[2:]):
        at += i * s
    return at
