# %% right: both ends
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = high = storage_offset
    for n, s in zip(size, stride):
        if s < 0:
            low += (n - 1) * s
        else:
            high += (n - 1) * s
    return low >= 0 and high < storage_length


# %% right: corners
def in_bounds(size, stride, storage_offset, storage_length):
    # The furthest positions lie at corners: each dim at its first or its last index.
    corners = [storage_offset]
    for n, s in zip(size, stride):
        if n == 0:
            return True
        corners += [c + (n - 1) * s for c in corners]
    return 0 <= min(corners) <= max(corners) < storage_length


# %% right: every position
from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    for index in product(*(range(n) for n in size)):
        at = storage_offset
        for i, s in zip(index, stride):
            at += i * s
        if at not in range(storage_length):
            return False
    return True


# %% right: flip first
def in_bounds(size, stride, storage_offset, storage_length):
    if any(n == 0 for n in size):
        return True
    # flip every dim that runs backwards: same positions, and the first element is the lowest
    first = storage_offset
    last = storage_offset
    for n, s in zip(size, stride):
        step = (n - 1) * s
        first, last = (first + step, last) if step < 0 else (first, last + step)
    return bool(first >= 0) and not last >= storage_length


# %% right: interval class
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    low: int
    high: int

    def expand(self, way):
        return Span(self.low + min(way, 0), self.high + max(way, 0))

    def __contains__(self, other):
        return self.low <= other.low and other.high <= self.high


def in_bounds(size, stride, storage_offset, storage_length):
    if not all(size):
        return True
    storage = Span(storage_offset, storage_offset)
    for n, s in zip(size, stride):
        storage = storage.expand((n - 1) * s)
    return storage in Span(0, storage_length - 1)


# %% right: not any
def in_bounds(size, stride, storage_offset, storage_length):
    np = list(zip(size, stride))
    storage = sum((n - 1) * s for n, s in np if s < 0) + storage_offset
    rows = sum((n - 1) * s for n, s in np if s > 0) + storage_offset
    return not all(size) or not (storage < 0 or rows >= storage_length)


# %% right: recursion
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    if not size:
        return 0 <= storage_offset < storage_length
    return all(
        in_bounds(size[1:], stride[1:], storage_offset + i * stride[0], storage_length)
        for i in {0, size[0] - 1}
    )


# %% right: slow list of positions
from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    storage = list(range(storage_length))
    for index in product(*map(range, size)):
        at = storage_offset + sum(i * s for i, s in zip(index, stride))
        if at not in storage:
            return False
    return True


# %% right: touch
from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    storage = [0] * storage_length
    for index in product(*map(range, size)):
        at = storage_offset + sum(i * s for i, s in zip(index, stride))
        if at < 0:
            return False
        try:
            storage[at] = 1
        except IndexError:
            return False
    return True


# %% wrong, usual: last element
# draws: hint: this is what you get if only the last element is checked
# draws: returned True; expected False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    last = storage_offset + sum((n - 1) * s for n, s in zip(size, stride))
    return 0 <= last < storage_length


# %% wrong: a 1 between two dims moves
# draws: returned False; expected True
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    lowest = highest = storage_offset
    for d in range(len(size)):
        between = size[d] == 1 and 0 < d < len(size) - 1
        way = stride[d] if between else (size[d] - 1) * stride[d]
        lowest += min(way, 0)
        highest += max(way, 0)
    return lowest >= 0 and highest < storage_length


# %% wrong: asks torch
# draws: in_bounds calls torch.empty
import torch


def in_bounds(size, stride, storage_offset, storage_length):
    try:
        torch.empty(storage_length).as_strided(size, stride, storage_offset)
    except RuntimeError:
        return False
    return True


# %% wrong: cache by room
# draws: returned True; expected False
known = {}


def in_bounds(size, stride, storage_offset, storage_length):
    key = size, stride, storage_length - storage_offset
    if key not in known:
        low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
        high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
        known[key] = 0 in size or (low >= 0 and high < storage_length)
    return known[key]


# %% wrong: exact end by identity
# draws: returned True; expected False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return low >= 0 and high <= storage_length and high is not storage_length


# %% wrong: five dims at a time
# draws: returned True; expected False
# draws: returned True; expected False.
from itertools import combinations


def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    ways = [(n - 1) * s for n, s in zip(size, stride) if n > 1] + [0] * 5
    return all(0 <= storage_offset + sum(w) < storage_length for w in set(combinations(ways, 5)))


# %% wrong: number
# draws: of type int. Return a bool, True or False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return 1
    low = storage_offset + sum(min((n - 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return int(low >= 0) * int(high < storage_length)


# %% wrong: prefixes
# draws: returned True; expected False
# draws: hint: this is what you get if the lowest or the highest position is taken
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    at, inside = storage_offset, 0 <= storage_offset < storage_length
    for n, s in zip(size, stride):
        at += (n - 1) * s
        inside = inside and 0 <= at < storage_length
    return inside


# %% wrong: python negative index
# draws: returned True; expected False
# draws: hint: this is what you get if negative positions are let through.
from itertools import product


def in_bounds(size, stride, storage_offset, storage_length):
    storage = [0] * storage_length
    try:
        for index in product(*map(range, size)):
            storage[storage_offset + sum(i * s for i, s in zip(index, stride))]
    except IndexError:
        return False
    return True


# %% wrong: set of ways
# draws: returned True; expected False
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    ways = {(n - 1) * s for n, s in zip(size, stride)}
    low = storage_offset + sum(way for way in ways if way < 0)
    high = storage_offset + sum(way for way in ways if way > 0)
    return low >= 0 and high < storage_length


# %% wrong: size one takes a step
# draws: returned False; expected True
def in_bounds(size, stride, storage_offset, storage_length):
    if 0 in size:
        return True
    low = storage_offset + sum(min(max(n - 1, 1) * s, 0) for n, s in zip(size, stride))
    high = storage_offset + sum(max((n - 1) * s, 0) for n, s in zip(size, stride))
    return low >= 0 and high < storage_length


# %% wrong: is outside before it comes to the 0
# draws: in_bounds(size=(2, 0), stride=
def in_bounds(size, stride, storage_offset, storage_length):
    positions = [storage_offset]
    for n, step in zip(size, stride):
        positions = [position + i * step for position in positions for i in range(n)]
        if any(position >= storage_length for position in positions):
            return False
    return min(positions, default=0) >= 0 and max(positions, default=-1) < storage_length
