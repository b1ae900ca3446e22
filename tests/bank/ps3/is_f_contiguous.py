# %% right: dataclass
from dataclasses import dataclass
from functools import reduce


@dataclass
class State:
    expected: int = 1
    good: bool = True

    def step(self, pair):
        n, s = pair
        if n == 0:
            return State(0, True)
        return State(self.expected * n, self.good and s == self.expected)


def is_f_contiguous(size, stride):
    pairs = [(n, s) for n, s in zip(size, stride) if n != 1]
    if any(n == 0 for n, _ in pairs):
        pairs = []
    return reduce(State.step, pairs, State()).good


# %% right: fraction
from fractions import Fraction
from math import prod


def is_f_contiguous(size, stride):
    if not prod(size):
        return True
    left = Fraction(prod(size))
    for n, step in zip(size[::-1], stride[::-1]):
        left /= n
        if n > 1 and left != step:
            return False
    return left == 1


# %% right: loop
def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    expected = 1
    for n, s in zip(size, stride):
        if n == 1:
            continue
        if s != expected:
            return False
        expected = expected * n
    return True


# %% right: positions
from itertools import product


def is_f_contiguous(size, stride):
    turned = product(*(range(n) for n in size[::-1]))
    positions = (sum(i * s for i, s in zip(index, stride[::-1])) for index in turned)
    return all(position == number for number, position in enumerate(positions))


# %% right: reversed
# F of a tensor is C of its transpose.
def is_c(size, stride):
    if len(size) == 0:
        return True
    n, inner = size[0], 1
    for m in size[1:]:
        inner *= m
    return (n == 1 or stride[0] == inner) and is_c(size[1:], stride[1:])


def is_f_contiguous(size, stride):
    return min(size, default=1) == 0 or is_c(size[::-1], stride[::-1])


# %% wrong, usual: negation
# draws: hint: this is what you get if column-major is taken for the opposite of row-major.
def is_f_contiguous(size, stride):
    if 0 in size:
        return False
    expected = 1
    for n, s in zip(reversed(size), reversed(stride)):
        if n != 1:
            if s != expected:
                return True
            expected *= n
    return False


# %% wrong: cache by numel
# draws: returned True; expected False.
from math import prod

KNOWN = {}


def is_f_contiguous(size, stride):
    key = prod(size), stride
    if key not in KNOWN:
        expected, ok = 1, True
        for n, step in zip(size, stride):
            ok = ok and (n == 1 or step == expected)
            expected *= n
        KNOWN[key] = ok or 0 in size
    return KNOWN[key]


# %% wrong: dense and ascending
# draws: returned True; expected False.
from math import prod


def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    kept = [(n, step) for n, step in zip(size, stride) if n > 1]
    steps = [step for _, step in kept]
    # Ascending, the first is 1, and no gap at the end.
    reach = 1 + sum((n - 1) * step for n, step in kept)
    return steps == sorted(set(steps)) and steps[:1] in ([], [1]) and reach == prod(size)


# %% wrong: identity
# draws: returned False; expected True.
def is_f_contiguous(size, stride):
    expected = 1
    for n, step in zip(size, stride):
        if n != 1 and step is not expected and 0 not in size:
            return False
        expected *= n
    return True


# %% wrong: negation but empty
# draws: returned False; expected True.
# draws: hint: this is what you get if column-major is taken for the opposite of row-major.
def is_f_contiguous(size, stride):
    return 0 in size or not all(
        s == p for s, p in zip(stride, [__import__("math").prod(size[i + 1 :]) for i in range(len(size))])
    )


# %% wrong: neighbours only
# draws: returned True; expected False.
def is_f_contiguous(size, stride):
    if 0 in size:
        return True
    if size and size[0] != 1 and stride[0] != 1:
        return False
    for dim in range(len(size) - 1):
        if size[dim] != 1 and size[dim + 1] != 1:
            if stride[dim + 1] != stride[dim] * size[dim]:
                return False
    return True


# %% wrong: numpy
# draws: This exercise is plain Python on numbers
import numpy as np


def is_f_contiguous(size, stride):
    kept = [(n, s) for n, s in zip(size, stride) if n != 1]
    wanted = np.cumprod([1] + [n for n, _ in kept])
    return 0 in size or all(s == w for (_, s), w in zip(kept, wanted))


# %% wrong: string
# draws: returned 'True', a str. Return a bool. Expected here: True.
def is_f_contiguous(size, stride):
    expected = 1
    for n, s in zip(size, stride):
        if n != 1 and s != expected and 0 not in size:
            return "False"
        expected *= n
    return "True"


# %% wrong: swaps ends
# draws: returned False; expected True.
def is_f_contiguous(size, stride):
    def turned(numbers):
        # A transpose: the first and the last dim change places.
        numbers = list(numbers)
        if len(numbers) > 1:
            numbers[0], numbers[-1] = numbers[-1], numbers[0]
        return numbers

    expected = 1
    if 0 in size:
        return True
    for n, step in zip(reversed(turned(size)), reversed(turned(stride))):
        if n != 1 and step != expected:
            return False
        expected *= n
    return True
