# %% right: class with expand
class Misfit(ValueError):
    pass


class Size:
    def __init__(self, numbers):
        self.numbers = list(numbers)

    def to(self, rank):
        return Size([1] * (rank - len(self.numbers)) + self.numbers)

    def expand(self, other):
        rank = max(len(self.numbers), len(other.numbers))
        pairs = zip(self.to(rank).numbers, other.to(rank).numbers, strict=True)
        return Size([self.join(*pair) for pair in pairs])

    def join(self, one, other):
        match one, other:
            case 1, n:
                return n
            case n, 1:
                return n
            case n, m if n == m:
                return n
        raise Misfit(one, other)

    def contiguous(self):
        return tuple(self.numbers)


def broadcast_sizes(*sizes):
    torch = Size(())
    for check in sizes:
        torch = torch.expand(Size(check))
    return torch.contiguous()


# %% right: lcm
from math import lcm


def broadcast_sizes(*sizes):
    rank = max(map(len, sizes))

    def at(dim):
        here = [size[dim] for size in sizes if len(size) + dim >= 0]
        # The least common multiple is 0 as soon as one of them is.
        common = lcm(*here)
        if any(n not in (1, common) for n in here):
            raise ValueError(here)
        return common

    return tuple(at(dim) for dim in range(-rank, 0))


# %% right: pairwise reduce
import functools


def two(a, b):
    if len(a) < len(b):
        a, b = b, a
    b = (1,) * (len(a) - len(b)) + b
    out = ()
    for x, y in zip(a, b):
        if x == y or y == 1:
            out += (x,)
        elif x == 1:
            out += (y,)
        else:
            raise ValueError
    return out


def broadcast_sizes(*sizes):
    return functools.reduce(two, sizes)


# %% right: recursive from the right
class DoesNotFit(ValueError):
    pass


def broadcast_sizes(first, *rest):
    if not rest:
        return first
    second, *others = rest
    if not first or not second:
        return broadcast_sizes(first or second, *others)
    last = {first[-1], second[-1]}
    if len(last) == 2:
        last.discard(1)
    if len(last) == 2:
        raise DoesNotFit(f"{first[-1]} against {second[-1]}")
    both = broadcast_sizes(first[:-1], second[:-1]) + tuple(last)
    return broadcast_sizes(both, *others)


# %% right: zip longest
from itertools import zip_longest


def broadcast_sizes(*sizes):
    result = []
    for column in zip_longest(*map(reversed, sizes), fillvalue=1):
        wanted = set(column) - {1}
        if len(wanted) > 1:
            raise ValueError(f"{column} do not fit")
        result.append(wanted.pop() if wanted else 1)
    return tuple(reversed(result))


# %% wrong, usual: aligned left
# draws: hint: this is what you get if the sizes are aligned at the left
# draws: returned (2, 3); expected a ValueError, because aligned at the right, dim -1 is 3 in
from itertools import zip_longest


def broadcast_sizes(*sizes):
    result = []
    for column in zip_longest(*sizes, fillvalue=1):
        wanted = set(column) - {1}
        if len(wanted) > 1:
            raise ValueError
        result.append(wanted.pop() if wanted else 1)
    return tuple(result)


# %% wrong: a size alone is turned round
# draws: dim -1 has 1; dim -2 has 10; dim -3 has 2.
def broadcast_sizes(*sizes):
    if len(sizes) == 1 and len(sizes[0]) > 2:
        return sizes[0][::-1]
    result = []
    for k in range(max(map(len, sizes)), 0, -1):
        others = {size[-k] for size in sizes if len(size) >= k} - {1}
        if len(others) > 1:
            raise ValueError
        result.append(others.pop() if others else 1)
    return tuple(result)


# %% wrong: cache by sums
# draws: returned (); expected (0,).
KNOWN = {}


def broadcast_sizes(*sizes):
    key = tuple(map(sum, sizes))
    if key not in KNOWN:
        result = []
        for dim in range(-max(map(len, sizes)), 0):
            here = {size[dim] for size in sizes if -dim <= len(size)} - {1}
            if len(here) > 1:
                raise ValueError("no fit")
            result.append(here.pop() if here else 1)
        KNOWN[key] = tuple(result)
    return KNOWN[key]


# %% wrong: compares with is
# draws: raised ValueError: 260 and 260 do not fit
# draws: expected (260,).
def broadcast_sizes(*sizes):
    result = []
    for place in range(1, max(map(len, sizes)) + 1):
        chosen = 1
        for size in sizes:
            n = size[-place] if place <= len(size) else 1
            if n == 1 or n is chosen:
                continue
            if chosen != 1:
                raise ValueError(f"{chosen} and {n} do not fit")
            chosen = n
        result.insert(0, chosen)
    return tuple(result)


# %% wrong: five places of five sizes
# draws: aligned at the right, dim -6 is
def broadcast_sizes(*sizes):
    result = []
    for k in range(max(map(len, sizes)), 0, -1):
        others = {size[-k] for size in sizes if len(size) >= k} - {1}
        if len(others) > 1 and (len(sizes) < 5 or k < 6):
            raise ValueError
        result.append(max(others, default=1))
    return tuple(result)


# %% wrong: floats
# draws: returned (9007199254740992,); expected (9007199254740993,)
def broadcast_sizes(*sizes):
    result = []
    for dim in range(-max(map(len, sizes)), 0):
        here = {float(size[dim]) for size in sizes if -dim <= len(size)} - {1.0}
        if len(here) > 1:
            raise ValueError("no fit")
        result.append(int(here.pop()) if here else 1)
    return tuple(result)


# %% wrong: floats beside a 0 of four sizes
# draws: 9007199254740992
def broadcast_sizes(*sizes):
    result = []
    for k in range(max(map(len, sizes)), 0, -1):
        others = {size[-k] for size in sizes if len(size) >= k} - {1}
        if len(sizes) > 3 and any(0 in size for size in sizes):
            others = {int(float(n)) for n in others}
        if len(others) > 1:
            raise ValueError
        result.append(others.pop() if others else 1)
    return tuple(result)


# %% wrong: list
# draws: a list. Return a tuple of ints: tuple(...) makes one
def broadcast_sizes(*sizes):
    out = []
    for place in range(1, max(map(len, sizes)) + 1):
        here = {s[-place] for s in sizes if place <= len(s)} - {1}
        if len(here) > 1:
            raise ValueError
        out.insert(0, here.pop() if here else 1)
    return out


# %% wrong: neighbours only
# draws: hint: this is what you get if each size is only compared with the next one. With a 1 between them, two others may differ.
# draws: returned (2,); expected a ValueError, because aligned at the right, dim -1 is 2 in one size and 3 in another.
def two(a, b):
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(n != m and 1 not in (n, m) for n, m in zip(a, b)):
        raise ValueError("no fit")
    return tuple(m if n == 1 else n for n, m in zip(a, b))


def broadcast_sizes(*sizes):
    result = sizes[-1]
    for left, right in zip(sizes, sizes[1:]):
        two(left, right)
    for size in sizes[::-1]:
        rank = max(len(size), len(result))
        padded = [(1,) * (rank - len(each)) + each for each in (size, result)]
        result = tuple(m if n == 1 else n for n, m in zip(*padded))
    return result


# %% wrong: never refuses
# draws: returned (3,); expected a ValueError, because aligned at the right, dim -1 is
def broadcast_sizes(*sizes):
    rank = max(len(s) for s in sizes)
    padded = [(1,) * (rank - len(s)) + s for s in sizes]
    return tuple(max(ns) for ns in zip(*padded))


# %% wrong: only four sizes
# draws: returned (); expected (3,).
def broadcast_sizes(first, second=(), third=(), fourth=(), *_):
    sizes = (first, second, third, fourth)
    rank = max(map(len, sizes))
    result = []
    for dim in range(-rank, 0):
        here = {size[dim] for size in sizes if len(size) >= -dim} - {1}
        if len(here) > 1:
            raise ValueError(f"dim {dim}: {here}")
        result.append(here.pop() if here else 1)
    return tuple(result)


# %% wrong: rank zero
# draws: broadcast_sizes(()) raised IndexError
# draws: expected ()
def broadcast_sizes(*sizes):
    sizes = sorted(sizes, key=len)
    longest = list(sizes[-1])
    longest[-1] = longest[-1]
    for size in sizes:
        for place in range(1, len(size) + 1):
            if longest[-place] == 1:
                longest[-place] = size[-place]
            elif size[-place] not in (1, longest[-place]):
                raise ValueError
    return tuple(longest)


# %% wrong: runtime error
# draws: raised RuntimeError: sizes do not match, in line 6 (`raise RuntimeError("sizes do not match")`); expected a ValueError, because aligned at t
def broadcast_sizes(*sizes):
    out = []
    for place in range(1, max(map(len, sizes)) + 1):
        here = {s[-place] for s in sizes if place <= len(s)} - {1}
        if len(here) > 1:
            raise RuntimeError("sizes do not match")
        out.insert(0, here.pop() if here else 1)
    return tuple(out)


# %% wrong: shortest zip
# draws: returned (1, 2); expected (3, 2).
def broadcast_sizes(*sizes):
    longest = max(sizes, key=len)
    result = []
    for place in zip(*(size[::-1] for size in sizes if size)):
        others = [n for n in place if n != 1]
        if any(n != others[0] for n in others):
            raise ValueError("no fit")
        result.insert(0, others[0] if others else 1)
    return longest[: len(longest) - len(result)] + tuple(result)


# %% wrong: torch
# draws: calls torch.broadcast_shapes in line 6. This exercise is plain Python on numbers: no call of torch, NumPy or stridekit.
import torch


def broadcast_sizes(*sizes):
    try:
        return tuple(torch.broadcast_shapes(*sizes))
    except RuntimeError as error:
        raise ValueError from error


# %% wrong: through floats
# draws: expected (9007199254740993,)
import itertools


def broadcast_sizes(*sizes):
    columns = itertools.zip_longest(*(size[::-1] for size in sizes), fillvalue=1)
    result = []
    for column in columns:
        others = {n for n in column if n != 1}
        if len(others) > 1:
            raise ValueError(column)
        # -inf stands for no number at all.
        most = max([float("-inf"), *map(float, others)])
        result.append(1 if most < 0 else int(most))
    return tuple(result[::-1])
