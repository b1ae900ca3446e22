# %% right: bisect
from bisect import bisect_right
from math import prod


def unravel(flat, size):
    out = []
    for d, n in enumerate(size):
        step = prod(size[d + 1 :])
        i = bisect_right(range(0, n * step, step), flat) - 1
        out.append(i)
        flat -= i * step
    return tuple(out)


# %% right: from the left
def unravel(flat, size):
    step = 1
    for n in size:
        step *= n
    index = ()
    for n in size:
        step //= n
        index += (flat // step,)
        flat -= flat // step * step
    return index


# %% right: odometer
class Odometer:
    def __init__(self, size):
        self.size = size
        self.wheels = [0] * len(size)

    def turn(self, by):
        for d in range(len(self.size) - 1, -1, -1):
            self.wheels[d] += by
            by = self.wheels[d] // self.size[d]
            self.wheels[d] -= by * self.size[d]


def unravel(flat, size):
    odometer = Odometer(size)
    odometer.turn(flat)
    return tuple(odometer.wheels)


# %% right: recursion
def unravel(flat, size):
    if size == ():
        return ()
    return unravel(flat // size[-1], size[:-1]) + (flat % size[-1],)


# %% right: remainders
def unravel(flat, size):
    index = []
    for n in size[::-1]:
        flat, i = divmod(flat, n)
        index.insert(0, i)
    return tuple(index)


# %% right: slow cached recursion
from functools import lru_cache


def next_index(index, size):
    *outer, last = index
    if last + 1 < size[-1]:
        return (*outer, last + 1)
    return (*next_index(tuple(outer), size[:-1]), 0)


@lru_cache
def helper(flat, size):
    if flat == 0:
        return (0,) * len(size)
    return next_index(unravel(flat - 1, size), size)


def unravel(flat, size):
    return helper(flat, size)


# %% right: slow recursion per element
def unravel(flat, size):
    if flat == 0:
        return (0,) * len(size)
    index = list(unravel(flat - 1, size))
    dim = len(size) - 1
    while index[dim] == size[dim] - 1:
        index[dim] = 0
        dim -= 1
    index[dim] += 1
    return tuple(index)


# %% right: strides
from math import prod


def unravel(flat, size):
    return tuple(
        flat // prod(size[d + 1:]) % size[d]
        for d in range(len(size))
    )


# %% right: tree
def unravel(flat, size):
    class Node:
        def __init__(self, size):
            self.size = size

        def numel(self):
            return self.size[0] * Node(self.size[1:]).numel() if self.size else 1

        def select(self, flat):
            if not self.size:
                return ()
            inner = Node(self.size[1:])
            i, rest = divmod(flat, inner.numel())
            return (i,) + inner.select(rest)

    return Node(size).select(flat)


# %% wrong, usual: dividing
# draws: unravel(5, (2, 3)) returned (1, 5); expected (1, 2)
# draws: hint: this is what you get if flat is divided by each row-major stride
# draws: each entry is smaller than its size
def unravel(flat, size):
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= n
    return tuple(flat // s for s in stride)


# %% wrong: asks numpy
# draws: unravel calls numpy.unravel_index
import numpy as np


def unravel(flat, size):
    return tuple(int(i) for i in np.unravel_index(flat, size))


# %% wrong: bits
# draws: returned (1, 1); expected (1, 2)
def unravel(flat, size):
    index = []
    for n in reversed(size):
        bits = (n - 1).bit_length()
        index.insert(0, flat & (1 << bits) - 1)
        flat >>= bits
    return tuple(index)


# %% wrong: cache by first and numel
# draws: unravel(22, (1, 2, 4, 3)) returned (0, 1, 2, 2); expected (0, 1, 3, 1).
from math import prod

known = {}


def right(flat, size):
    index = []
    for n in reversed(size):
        index.insert(0, flat % n)
        flat //= n
    return tuple(index)


def unravel(flat, size):
    return known.setdefault((flat, len(size), prod(size), size[:2]), right(flat, size))


# %% wrong: digits
# draws: returned (1, 2); expected (11, 2).
def unravel(flat, size):
    digits = ""
    for n in reversed(size):
        digits = str(flat % n) + digits
        flat //= n
    return tuple(int(digit) for digit in digits[-len(size) :] if size)


# %% wrong: dims as text
# draws: the last dim runs fastest, and each entry is smaller than its size
def unravel(flat, size):
    index = {}
    for d in reversed(range(len(size))):
        index[str(d)] = flat % size[d]
        flat //= size[d]
    return tuple(index[d] for d in sorted(index))


# %% wrong: float
# draws: a float. It should be an int: // divides without leaving the ints
def unravel(flat, size):
    index = []
    for n in reversed(size):
        rest = flat % n
        flat = (flat - rest) / n
        index.insert(0, rest)
    return tuple(index)


# %% wrong: list
# draws: a list. Return a tuple of ints: tuple(...) makes one
def unravel(flat, size):
    index = []
    for n in reversed(size):
        flat, i = divmod(flat, n)
        index = [i] + index
    return index


# %% wrong: rank 0
# draws: unravel(0, ()) raised IndexError
# draws: without dims there is one element, and its index is ()
def unravel(flat, size):
    if len(size[1:]) == 0:
        return (flat % size[0],)
    last = size[-1]
    return (*unravel(flat // last, size[:-1]), flat % last)


# %% wrong: sorted as text
# draws: returned (9, 2); expected (11, 2).
from itertools import product


def unravel(flat, size):
    return sorted(product(*map(range, size)), key=str)[flat]


# %% wrong: squeezes
# draws: returned (0, 1); expected (1, 0)
def unravel(flat, size):
    index = []
    for n in reversed(size):
        if n > 1:
            index.insert(0, flat % n)
            flat //= n
    return (0,) * (len(size) - len(index)) + tuple(index)


# %% wrong: three carries
# draws: returned (0, 3, 1, 1, 1); expected (1, 1, 1, 1, 1)
def unravel(flat, size):
    out = [0] * len(size)
    for _ in range(flat):
        out[-1] += 1
        for d in range(len(size) - 1, max(0, len(size) - 4), -1):
            if out[d] == size[d]:
                out[d] = 0
                out[d - 1] += 1
    return tuple(out)


# %% wrong: times one over the step
# draws: unravel(49, (5, 49)) returned (0, 49); expected (1, 0)
from math import prod


def unravel(flat, size):
    index = []
    for dim in range(len(size)):
        step = prod(size[dim + 1 :])
        index.append(int(flat * (1 / step)))
        flat -= index[-1] * step
    return tuple(index)
