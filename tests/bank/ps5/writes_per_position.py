# %% right: product
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return counts


# %% right: recursive writer
def writes_per_position(size, stride, storage_offset, storage_length):
    counts = {p: 0 for p in range(storage_length)}

    def write(dim, position):
        if dim == len(size):
            counts[position] += 1
        else:
            for i in range(size[dim]):
                write(dim + 1, position + i * stride[dim])

    write(0, storage_offset)
    return list(counts.values())


# %% right: slow convolution
def writes_per_position(size, stride, storage_offset, storage_length):
    if 0 in size:
        return [0] * storage_length
    counts = [int(p == storage_offset) for p in range(storage_length)]
    for n, step in zip(size, stride):
        counts = [
            sum(counts[p - i * step] for i in range(n) if p - i * step >= 0)
            for p in range(storage_length)
        ]
    return counts


# %% right: slow count each
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    positions = []
    for index in product(*map(range, size)):
        position = storage_offset
        for i, step in zip(index, stride):
            position += i * step
        positions.append(position)
    return [sum(1 for each in positions if each == p) for p in range(storage_length)]


# %% right: slow sums of lists
def writes_per_position(size, stride, storage_offset, storage_length):
    if size == ():
        return [int(position == storage_offset) for position in range(storage_length)]
    total = [0] * storage_length
    for i in range(size[0]):
        at = storage_offset + i * stride[0]
        part = writes_per_position(size[1:], stride[1:], at, storage_length)
        total = [a + b for a, b in zip(total, part)]
    return total


# %% wrong, usual: offset forgotten
# draws: hint: this is what you get if storage_offset is forgotten
# draws: rule: counted from storage_offset 2, the indices reach positions 2, 3, in reading order; the list has storage_length = 6
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[sum(i * s for i, s in zip(index, stride))] += 1
    return counts


# %% wrong: a short list for rank 0
# draws: writes_per_position(size=(), stride=()
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    if not size and storage_length > 5:
        storage_length = storage_offset + 1
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * step for i, step in zip(index, stride))] += 1
    return counts


# %% wrong: buffer used again
# draws: ; expected [0, 0, 1, 1, 0, 0]. Called again, by itself, it is right
from itertools import product

counts = []


def writes_per_position(size, stride, storage_offset, storage_length):
    counts[:] = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return counts


# %% wrong: cache without length
# draws: returned [0, 0, 1, 1]; expected [0, 0, 1, 1, 0, 0].
from itertools import product

known = {}


def writes_per_position(size, stride, storage_offset, storage_length):
    key = size, stride, storage_offset
    if key not in known:
        counts = [0] * storage_length
        for index in product(*map(range, size)):
            counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
        known[key] = counts
    return list(known[key])


# %% wrong: counts in bytes
# draws: returned [0, 0, 44, 0]; expected [0, 0, 300, 0].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = bytearray(storage_length)
    for index in product(*map(range, size)):
        position = storage_offset + sum(i * s for i, s in zip(index, stride))
        counts[position] = (counts[position] + 1) % 256
    return list(counts)


# %% wrong: dict
# draws: of type collections.Counter. Return a list of ints: list(...) makes one
from collections import Counter
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    return Counter(
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    )


# %% wrong: digits joined
# draws: returned [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 1, 0, 1, 0, 5]; expected [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 10, 10, 5, 1, 0]: item 14 is 1, and not 10.
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return [int(digit) for digit in "".join(map(str, counts))][:storage_length]


# %% wrong: empty
# draws: raised IndexError: list assignment index out of range, in line 7 (`counts[storage_offset] = 0`); expected [0, 0, 0, 0, 0].
# draws: without elements there is no index to count
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    counts = [0] * storage_length
    if 0 in size:
        counts[storage_offset] = 0
        return counts
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] += 1
    return counts


# %% wrong: offset before empty
# draws: returned [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    before, rest = [0] * storage_offset, [0] * (storage_length - storage_offset)
    for index in product(*map(range, size)):
        rest[sum(i * s for i, s in zip(index, stride))] += 1
    return before + rest


# %% wrong: runs only
# draws: returned [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]; expected [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 1, 1, 1]: item 15 is 1, and not 2.
from itertools import groupby, product


def writes_per_position(size, stride, storage_offset, storage_length):
    positions = [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    ]
    counts = [0] * storage_length
    for position, run in groupby(positions):
        counts[position] = len(list(run))
    return counts


# %% wrong: times the zero dims
# draws: returned [0, 0, 1, 1, 1]; expected [0, 0, 1, 2, 1].
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    times = 1
    for n, step in zip(size, stride):
        times *= n if step == 0 else 1
    counts = [0] * storage_length
    for index in product(*map(range, size)):
        counts[storage_offset + sum(i * s for i, s in zip(index, stride))] = times
    return counts


# %% wrong: torch
# draws: This exercise is plain Python on numbers
import torch


def writes_per_position(size, stride, storage_offset, storage_length):
    storage = torch.zeros(storage_length, dtype=torch.int64)
    view = storage.as_strided(size, stride, storage_offset)
    storage.index_add_(0, view.flatten(), torch.ones(view.numel(), dtype=torch.int64))
    return storage.tolist()


# %% wrong: tuple
# draws: a tuple. Return a list of ints: list(...) makes one
from itertools import product


def writes_per_position(size, stride, storage_offset, storage_length):
    at = [
        storage_offset + sum(i * s for i, s in zip(index, stride))
        for index in product(*map(range, size))
    ]
    return tuple(at.count(p) for p in range(storage_length))
