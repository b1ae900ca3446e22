"""What ps1 shares on headers: cases, their order, the way to an element as a sum."""

import random
from collections.abc import Iterator
from itertools import permutations, product
from math import prod
from typing import Any

from stridekit.checks.exercise import Arguments
from stridekit.checks.seam import Case
from stridekit.exercises.ps1.sizes import DIMS_MOST
from stridekit.layouts.layout import Ints, contiguous_stride

# What the texts say: few enough that a function may call itself once for each element.
NUMEL_MOST = 256
# A way that takes more characters is told without its steps.
WAY_MOST = 90


def hops(index: Ints, stride: Ints, storage_offset: int) -> str:
    """The way to an index as a sum: 2 + 1×3 + 2×1 = 7; of a long one only where it leads.

    A negative stride has parentheses.

    >>> hops((1, 2), (3, -1), 2)
    '2 + 1×3 + 2×(-1) = 3'
    """
    steps = [f"({step})" if step < 0 else str(step) for step in stride]
    terms = [f"{i}×{step}" for i, step in zip(index, steps, strict=True)]
    target = storage_offset + sum(map(int.__mul__, index, stride))
    sums = " + ".join([str(storage_offset), *terms])
    if len(sums) > WAY_MOST:
        return str(target)
    return f"{sums} = {target}" if terms else sums


def weigh_header(case: Case) -> tuple[Any, ...]:
    """The order of cases that begin with a header: small ones first, but none that hides much.

    With one element, or with a stride of 0, different mistakes look the same, so those cases
    count for more than they are; so do dims of size 1, and many dims. Positive strides come
    before negative ones, offset 0 before others, and a stride that descends before one that
    ascends.
    """
    size, stride, storage_offset, *rest = case.arguments
    numel = prod(size)
    cost = 4 * numel if numel == 1 or 0 in stride else numel
    cost += len(size) ** 2 + 2 * size.count(1)
    backward = sum(step < 0 for step in stride)
    extent = sum(map(abs, (*size, *stride, *rest)))
    order = tuple(-step for step in stride)
    return numel == 0, cost, len(size), backward, storage_offset, extent, order, size, rest


# Strides of three dims: in every order, overlapping, expanded, with a gap, equal ones.
_BLOCKS = (*permutations((6, 2, 1)), (0, 1, 2), (2, 1, 0), (1, 1, 1), (9, 1, 3))
# Far out: few elements, for somebody may walk there step by step.
_FAR = (
    ((), (), 199_999),
    ((3,), (50_000,), 65_535),
    ((2, 3), (90_000, 40_001), 1),
    ((2, 2), (65_536, 100_001), 300),
)
# From the first position to the last there are as many as elements, and yet some overlap.
_AS_MANY = (
    ((2, 2), (3, 0)),
    ((3, 3), (4, 0)),
    ((2, 2, 2), (3, 3, 1)),
    ((2, 2, 2), (5, 1, 1)),
    ((2, 2, 3), (5, 4, 1)),
    ((2, 2, 3), (7, 2, 1)),
    ((2, 2, 2, 2), (7, 5, 2, 1)),
    ((2, 2, 2, 2), (9, 3, 2, 1)),
)


def header_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    """Every small header of up to two dims, larger ones, and hidden some of three dims."""
    yield from (((), (), offset) for offset in (0, 1, 2, 7))
    for n, step, offset in product(range(4), (0, 1, 2, 3, 5), (0, 2)):
        yield (n,), (step,), offset
    some = {*product((0, 1, 3), repeat=2), (2, 1), (1, 2), (5, 1), (1, 5)}
    for size in product(range(4), repeat=2):
        yield from ((size, stride, 0) for stride in sorted(some))
        strides = product((0, 1, 2, 3, 5), repeat=2) if hidden else ((3, 1), (1, 2), (0, 1))
        yield from ((size, stride, 2) for stride in strides)
    if hidden:
        for size in product(range(4), repeat=3):
            yield from ((size, stride, 1) for stride in (_BLOCKS[2::4] if 0 in size else _BLOCKS))
    # So that no larger case has to be shown where the number of dims decides.
    for rank in range(4, 9):
        steps = contiguous_stride((2,) * rank)
        yield from (((2,) * rank, stride, 0) for stride in (steps, steps[::-1], (1,) * rank))
    for rank in range(9, DIMS_MOST + 1):
        yield (2, *[1] * (rank - 2), 3), (3, *[5] * (rank - 2), 1), 0
    yield (2, 3) * 2, (1, 2, 6, 18), 0
    # Entries of two digits.
    yield (12, 2), (2, 1), 0
    yield (2, 11), (1, 2), 0
    yield from ((size, stride, 0) for size, stride in _AS_MANY)
    yield from _FAR
    yield from larger_headers(450 if hidden else 110, chance)


def larger_headers(count: int, chance: random.Random) -> Iterator[Arguments]:
    """Headers of many dims, within the largest sizes: permuted, with gaps, expanded, overlapping.

    Their positions stay within some thousands.
    """
    for _ in range(count):
        size, room = [], chance.choice((16, 36, 60, 120, NUMEL_MOST))
        for _ in range(chance.choice((3, 4, 4, 5, 5, 6, 7, 9, DIMS_MOST))):
            fits = [n for n in (1, 1, 2, 2, 3, 4, 5, 7, 10, 12) if n <= room]
            size.append(chance.choice(fits))
            room //= size[-1]
        chance.shuffle(size)
        # From the dim with the shortest steps on: the last one, or any.
        order = [*reversed(range(len(size)))]
        if chance.random() < 0.6:
            chance.shuffle(order)
        stride, step = [0] * len(size), chance.choice((1, 1, 1, 2, 3))
        for dim in order:
            stride[dim] = step
            step *= size[dim]
        if chance.random() < 0.5:
            dim = chance.randrange(len(size))
            stride[dim] = chance.choice((0, 1, 7, stride[dim] + 1, stride[dim - 1]))
        if chance.random() < 0.12:
            size[chance.randrange(len(size))] = 0
        yield tuple(size), tuple(stride), chance.choice((0, 0, 1, 3, 12, 300))
