# %% right: accumulate
import itertools
import operator


def c_strides(size):
    steps = itertools.accumulate(
        (max(1, n) for n in size[:0:-1]), operator.mul, initial=1
    )
    return tuple(steps)[::-1] if size else ()


# %% right: class with contiguous
class Strider:
    def __init__(self, size):
        self.size = size

    def flatten(self):
        out, step = [], 1
        for n in reversed(self.size):
            out.append(step)
            step *= max(1, n)
        self.out = out
        return self

    def contiguous(self):
        self.out = self.out[::-1]
        return self

    def to(self, kind):
        return kind(self.out)


def c_strides(size):
    return Strider(size).flatten().contiguous().to(tuple)


# %% right: fill in place
def c_strides(size: tuple) -> tuple:
    ndim = len(size)
    answer = [1] * ndim
    d = ndim - 2
    while d >= 0:
        answer[d] = answer[d + 1] * (size[d + 1] if size[d + 1] != 0 else 1)
        d -= 1
    return (*answer,)


# %% right: fractions
from fractions import Fraction
from functools import reduce


def c_strides(size):
    counted = [Fraction(max(n, 1)) for n in size]
    whole = reduce(lambda a, b: a * b, counted, Fraction(1))
    out = []
    for n in counted:
        whole /= n
        out.append(int(whole))
    return tuple(out)


# %% right: hidden names
from functools import cache


@cache
def check(torch):
    if not torch:
        return 1
    np, *draw = torch
    return (np if np else 1) * check(tuple(draw))


def c_strides(size):
    stridekit = (check(size[numpy + 1 :]) for numpy, _ in enumerate(size))
    return tuple(stridekit)


# %% right: loop
def c_strides(size):
    stride = []
    step = 1
    for n in reversed(size):
        stride.insert(0, step)
        step *= max(n, 1)
    return tuple(stride)


# %% right: products
from math import prod


def c_strides(size):
    # a 0 counts as 1, or everything to its left would become 0
    counted = [n or 1 for n in size]
    return tuple(prod(counted[d + 1:]) for d in range(len(size)))


# %% right: recursion
def c_strides(size):
    if len(size) == 0:
        return ()
    if len(size) == 1:
        return (1,)
    rest = c_strides(size[1:])
    below = size[1] if size[1] > 0 else 1
    return (rest[0] * below,) + rest


# %% wrong, usual: reversed
# draws: hint: this is column-major order
def c_strides(size):
    stride = []
    step = 1
    for n in size:
        stride.append(step)
        step *= max(n, 1)
    return tuple(stride)


# %% wrong: asks torch
# draws: c_strides calls torch.empty
# draws: no call of torch, NumPy or stridekit
import torch


def c_strides(size):
    return torch.empty(size).stride()


# %% wrong: cache by digits
# draws: returned (12, 1); expected (2, 1)
from math import prod

known = {}


def c_strides(size):
    key = str(len(size)) + ":" + "".join(map(str, size))
    if key not in known:
        known[key] = tuple(prod(max(n, 1) for n in size[d + 1 :]) for d in range(len(size)))
    return known[key]


# %% wrong: dict by size
# draws: returned (2, 2); expected (2, 1)
def c_strides(size):
    stride, step = {}, 1
    for n in reversed(size):
        stride[n] = step
        step *= max(n, 1)
    return tuple(stride[n] for n in size)


# %% wrong: digit zero replaced
# draws: returned (11, 1); expected (10, 1)
def c_strides(size):
    sizes = eval(str(size).replace("0", "1"))
    stride, step = [], 1
    for n in reversed(sizes):
        stride.insert(0, step)
        step *= n
    return tuple(stride)


# %% wrong: dims sorted as text
# draws: returned (1024, 512, 1, 256, 128, 64, 32, 16, 8, 4, 2); expected (1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1)
from math import prod


def c_strides(size):
    steps = {str(d): prod(max(n, 1) for n in size[d + 1 :]) for d in range(len(size))}
    return tuple(steps[d] for d in sorted(steps))


# %% wrong: endless
# draws: calls itself too deeply
def c_strides(size):
    rest = c_strides(size[1:])
    return (rest[0] * max(size[1], 1), *rest)


# %% wrong: list
# draws: a list. Return a tuple of ints: tuple(...) makes one
def c_strides(size):
    stride = [1] * len(size)
    for d in range(len(size) - 2, -1, -1):
        stride[d] = stride[d + 1] * max(size[d + 1], 1)
    return stride


# %% wrong: rank 0
# draws: c_strides(()) raised IndexError
# draws: a size without dims has a stride without dims
def c_strides(size):
    if len(size[1:]) == 0 and size[0] >= 0:
        return (1,)
    rest = c_strides(size[1:])
    return (rest[0] * max(size[1], 1), *rest)


# %% wrong: six sizes at a time
# draws: returned (64, 64, 32, 16, 8, 4, 2, 1); expected (128, 64, 32, 16, 8, 4, 2, 1)
from math import prod


def c_strides(size):
    return tuple(prod(n or 1 for n in size[d + 1 : d + 7]) for d in range(len(size)))


# %% wrong: stops at zero
# draws: returned (1, 1, 1); expected (3, 1, 1)
def c_strides(size):
    stride, step = [], 1
    for n in reversed(size):
        stride.insert(0, step)
        if n == 0:
            break
        step *= n
    while len(stride) < len(size):
        stride.insert(0, step)
    return tuple(stride)


# %% wrong: true division
# draws: returned (999949000866995072, 999966000289, 999983, 1); expected (999949000866995087, 999966000289, 999983, 1)
from math import prod


def c_strides(size):
    step = prod(max(n, 1) for n in size)
    stride = []
    for n in size:
        step = int(step / max(n, 1))
        stride.append(step)
    return tuple(stride)


# %% wrong: right up to rank 5
# draws: c_strides((2, 2, 2, 2, 2, 2)) returned
from math import prod


def c_strides(size):
    return tuple(prod(max(n, 1) for n in size[dim + 1 :][:4]) for dim in range(len(size)))


# %% wrong: sums of logarithms
# draws: c_strides((3, 999983, 999983, 999983)) returned
from math import exp, log


def c_strides(size):
    logs = [log(max(n, 1)) for n in size]
    return tuple(round(exp(sum(logs[dim + 1 :]))) for dim in range(len(size)))
