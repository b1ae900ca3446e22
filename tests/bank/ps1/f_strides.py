# %% right: decorated
import functools


def with_ones(function):
    @functools.wraps(function)
    def inner(size):
        return function(tuple(1 if n == 0 else n for n in size))

    return inner


@with_ones
def f_strides(size):
    out = [1]
    for n in size:
        out.append(out[-1] * n)
    return tuple(out[:-1])


# %% right: generator
def f_strides(size):
    def steps():
        step = 1
        for n in size:
            yield step
            step *= n + (n == 0)

    return tuple(steps())


# %% right: loop
def f_strides(size):
    stride = []
    step = 1
    for n in size:
        stride.append(step)
        if n > 0:
            step *= n
    return tuple(stride)


# %% right: recursion from the right
def f_strides(size):
    *rest, last = size or [None]
    if last is None:
        return ()
    before = f_strides(tuple(rest))
    if not rest:
        return (1,)
    return before + (before[-1] * (rest[-1] or 1),)


# %% right: reduce
from functools import reduce


def f_strides(size):
    def grow(stride, n):
        return stride + (stride[-1] * max(n, 1),)

    return reduce(grow, size, (1,))[:-1]


# %% right: strings
def f_strides(size):
    text = ""
    out = []
    for n in size:
        out.append(eval(text + "1"))
        text += f"{n or 1}*"
    return tuple(out)


# %% right: turned round
def c_strides(size):
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)


def f_strides(size):
    # column-major is row-major of the transposed tensor, transposed back
    backwards = tuple(reversed(size))
    return tuple(reversed(c_strides(backwards)))


# %% wrong, usual: reversed size
# draws: f_strides((2, 3)) returned (2, 1); expected (1, 2)
# draws: hint: this is the row-major stride of the reversed size
def f_strides(size):
    size = size[::-1]
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)


# %% wrong: 32 bits
# draws: the stride of a dim is the product of the sizes to its left
def f_strides(size):
    stride, step = [], 1
    for n in size:
        stride.append(step)
        step = step * max(n, 1) & 0xFFFF_FFFF
    return tuple(stride)


# %% wrong: cache by first three
# draws: returned (1, 2, 4, 8, 16); expected (1, 2, 4, 8, 24).
from math import prod

known = {}


def f_strides(size):
    key = size[:3] + (len(size),)
    if key not in known:
        known[key] = tuple(prod(max(n, 1) for n in size[:d]) for d in range(len(size)))
    return known[key]


# %% wrong: dims sorted as text
# draws: returned (1, 2, 1024, 4, 8, 16, 32, 64, 128, 256, 512); expected (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
def f_strides(size):
    steps, step = {}, 1
    for d, n in enumerate(size):
        steps[f"dim{d}"] = step
        step *= n or 1
    return tuple(steps[d] for d in sorted(steps))


# %% wrong: float
# draws: a float. It should be an int: // divides without leaving the ints
from math import prod


def f_strides(size):
    counted = [max(n, 1) for n in size]
    stride = []
    left = prod(counted)
    for n in reversed(counted):
        left = left / n
        stride.insert(0, left)
    return tuple(stride)


# %% wrong: float division
# draws: returned (1, 999983, 999966000289, 999949000866995072); expected (1, 999983, 999966000289, 999949000866995087)
from math import prod


def f_strides(size):
    whole = prod(n or 1 for n in size)
    return tuple(int(whole / prod(n or 1 for n in size[d:])) for d in range(len(size)))


# %% wrong: generator
# draws: for it has a `yield`. Collect all in a tuple of ints. Expected here: (1, 2).
def f_strides(size):
    step = 1
    for n in size:
        yield step
        step *= max(n, 1)


# %% wrong: numpy numbers
# draws: f_strides calls numpy.cumprod
# draws: This exercise is plain Python on numbers
import numpy as np


def f_strides(size):
    counted = [1] + [max(n, 1) for n in size[:-1]]
    return tuple(np.cumprod(counted))[: len(size)]


# %% wrong: rank 0 is one
# draws: returned (1,); expected ()
def f_strides(size):
    out = [1]
    for n in size[:-1]:
        out.append(out[-1] * (n or 1))
    return tuple(out)


# %% wrong: swaps two dims only
# draws: returned (12, 1, 3); expected (1, 2, 6).
def c_strides(size):
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return stride


def f_strides(size):
    size = list(size)
    if len(size) < 2:
        return tuple(c_strides(size))
    size[-1], size[-2] = size[-2], size[-1]
    stride = c_strides(size)
    stride[-1], stride[-2] = stride[-2], stride[-1]
    return tuple(stride)
