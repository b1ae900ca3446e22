"""What the exercises of ps1 share: sizes, headers, rules in words."""

import random
from itertools import permutations, product
from math import prod
from typing import Any

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.pictures import draw_strides
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import RUN_TOGETHER, layouts, small_layouts, small_sizes

# What the texts say: so many dims, strides that no float holds exactly, and few enough elements
# that a function may call itself once for each.
DIMS_MOST, STRIDE_MOST, NUMEL_MOST = 12, 10**18, 256
_LARGER = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 11, 12, 20, 100, 101, 256, 65_536, 999_983, 1_000_000)
_BEYOND_FLOATS = ((3, *[999_983] * 3), (*[999_983] * 3, 3))


def size_cases(hidden: bool, chance: random.Random) -> Given:
    """Every small size; such as (1, 12) and (11, 2), which are told apart by their digits; more."""
    yield from ((size,) for size in small_sizes(4 if hidden else 3))
    yield from (((n,),) for n in dict.fromkeys(_LARGER))
    yield from ((size,) for size in product((0, 1, 2, 10, 11, 12, 20), repeat=2))
    yield from ((size,) for size in (*permutations((2, 3, 4)), *product((2, 3), repeat=5)))
    yield from (((n,) * rank,) for rank, n in product(range(5, DIMS_MOST + 1), (2, 1)))
    yield from ((size,) for size in _BEYOND_FLOATS)
    if hidden:
        yield from ((size,) for size in product((1, 2, 5, 10, 101), repeat=3))
        yield from ((size,) for size in product((0, 3, 7), repeat=5))
    for rank in [*range(4, DIMS_MOST + 1)] * (44 if hidden else 11):
        size, room = [], STRIDE_MOST
        for _ in range(rank):
            size.append(chance.choice([n for n in _LARGER if n <= room]))
            room //= max(size[-1], 1)
        chance.shuffle(size)
        yield (tuple(size),)


def column_major(size: Ints) -> Ints:
    """The column-major stride of a size."""
    return contiguous_stride(size[::-1])[::-1]


def is_plain(size: Ints) -> tuple[bool, ...]:
    """What makes a size come late: large numbers, and two that are alike, as mistakes are then."""
    return prod(filter(None, size)) > 1000, len({*size}) < len(size)


def is_late(size: Ints, stride: Ints, storage_offset: int, *_: int) -> tuple[object, ...]:
    """What makes a header come late: strides of 0, negative ones, an offset, many dims.

    So a mistake shows first where there is nothing else to think of.
    """
    backward = sum(step < 0 for step in stride)
    return (
        0 in stride,
        len(size) > 2,
        backward,
        storage_offset > 0,
        sorted(stride)[::-1] != [*stride],
    )


def strides_exercise(name: str, **parts: Any) -> Exercise:
    """An exercise that gives the stride of a size."""
    return Exercise(
        name,
        ("size",),
        returns=INTS,
        reordered=("size",),
        cases=size_cases,
        late=is_plain,
        picture=lambda told, outcome, size: draw_strides(size, expected=told, yours=outcome.value),
        **parts,
    )


# So many dims are spelt out in a rule.
_SPELT = 4


def stride_rule(size: Ints, side: str, factors: list[Ints]) -> str:
    """Where the stride of each dim comes from, given the sizes that are multiplied for it."""
    if not size:
        return "a size without dims has a stride without dims: ()."
    zeros = ", where a 0 counts as 1" if 0 in size else ""
    parts = []
    # From the dim on that has nothing to its side: there it begins.
    told = sorted(range(len(size)), key=lambda dim: len(factors[dim]))[:_SPELT]
    for dim in sorted(told):
        counted = [max(n, 1) for n in factors[dim]]
        multiplied = f"{' × '.join(map(str, counted))} = " if len(counted) > 1 else ""
        alone = "" if counted else f", which has nothing to its {side}"
        parts.append(f"{multiplied}{prod(counted)} for dim {dim}{alone}")
    rest = "; and so on" if len(size) > _SPELT else ""
    rule = f"the stride of a dim is the product of the sizes to its {side}{zeros}"
    return f"{rule}: {'; '.join(parts)}{rest}."


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
    target = storage_offset + dot(index, stride)
    sums = " + ".join([str(storage_offset), *terms])
    if len(sums) > WAY_MOST:
        return str(target)
    return f"{sums} = {target}" if terms else sums


def dot(index: Ints, stride: Ints) -> int:
    """How far the index leads from the first element."""
    return sum(map(int.__mul__, index, stride))


# Strides of three dims: in every order, overlapping, expanded, with a gap, equal ones.
_BLOCKS = (*permutations((6, 2, 1)), (0, 1, 2), (2, 1, 0), (1, 1, 1), (9, 1, 3))
# Far out: few elements, for somebody may walk there step by step.
FAR: tuple[tuple[Ints, Ints, int], ...] = (
    ((), (), 199_999),
    ((3,), (50_000,), 65_535),
    ((2, 3), (70_000, 40_001), 1),
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


def header_cases(hidden: bool, chance: random.Random) -> Given:
    """Every small header of up to two dims, larger ones, and hidden some of three dims."""
    yield from small_layouts(1, (0, 1, 2, 3, 5), (0, 2))
    some = {*product((0, 1, 3), repeat=2), (2, 1), (1, 2), (5, 1), (1, 5)}
    for size in product(range(4), repeat=2):
        yield from ((size, stride, 0) for stride in sorted(some))
        strides = product((0, 1, 2, 3, 5), repeat=2) if hidden else ((3, 1), (1, 2), (0, 1))
        yield from ((size, stride, 2) for stride in strides)
    if hidden:
        for size in product(range(4), repeat=3):
            yield from ((size, stride, 1) for stride in (_BLOCKS[2::4] if 0 in size else _BLOCKS))
        # The size of 0 is the last of many, and strides are 0.
        for rank in range(4, DIMS_MOST + 1):
            yield (2, 3, *(1,) * (rank - 3), 0), (3, *(0,) * (rank - 1)), 1
    # So that no larger case has to be shown where the number of dims decides.
    for rank in range(4, 9):
        steps = contiguous_stride((2,) * rank)
        yield from (((2,) * rank, stride, 0) for stride in (steps, steps[::-1], (1,) * rank))
    yield (2, 3) * 2, (1, 2, 6, 18), 0
    # Entries of two digits.
    yield (12, 2), (2, 1), 0
    yield (2, 11), (1, 2), 0
    yield from ((size, stride, 0) for size, stride in _AS_MANY)
    yield from RUN_TOGETHER[:2]
    yield from FAR
    yield from larger_headers(3 if hidden else 1, chance)


def larger_headers(times: int, chance: random.Random) -> list[Layout]:
    """Headers of many dims, within the largest sizes; their positions are some thousands."""
    ranks = range(1, DIMS_MOST + 1)
    offsets = (0, 0, 1, 3, 12, 300)
    made = layouts(chance, ranks, offsets=offsets, most=NUMEL_MOST, times=times)
    return [*made][0 if times > 1 else 20 :]
