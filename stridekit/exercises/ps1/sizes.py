"""What ps1 shares on sizes: cases, their order, the rule of a stride, the picture."""

import random
from collections.abc import Iterator
from itertools import permutations, product
from math import prod
from typing import Any

from stridekit.checks.cases import small_sizes
from stridekit.checks.exercise import Arguments
from stridekit.checks.pictures import draw_strides
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, contiguous_stride

# What the texts say: so many dims, and strides that no float holds exactly.
DIMS_MOST, STRIDE_MOST = 12, 10**18
_LARGER = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 11, 12, 20, 100, 101, 256, 65_536, 999_983, 1_000_000)
_BEYOND_FLOATS = ((3, *[999_983] * 3), (*[999_983] * 3, 3))


def size_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    """Every small size; such as (1, 12) and (11, 2), which are told apart by their digits; more."""
    yield from ((size,) for size in small_sizes(4 if hidden else 3))
    yield from ((size,) for size in product((0, 1, 2, 10, 11, 12, 20), repeat=2))
    yield from ((size,) for size in (*permutations((1, 2, 3, 4)), *product((2, 3), repeat=5)))
    yield from (((2,) * rank,) for rank in range(6, DIMS_MOST + 1))
    yield from ((size,) for size in _BEYOND_FLOATS)
    if hidden:
        yield from ((size,) for size in product((1, 2, 5, 10, 101), repeat=3))
        yield from ((size,) for size in product((0, 3, 7), repeat=5))
    for _ in range(400 if hidden else 100):
        size, room = [], STRIDE_MOST
        for _ in range(chance.randint(4, DIMS_MOST)):
            size.append(chance.choice([n for n in _LARGER if n <= room]))
            room //= max(size[-1], 1)
        chance.shuffle(size)
        yield (tuple(size),)


def column_major(size: Ints) -> Ints:
    """The column-major stride of a size."""
    return contiguous_stride(size[::-1])[::-1]


def plainness(size: Ints) -> tuple[bool, int, Ints]:
    """The order of sizes: small ones first, but none that hides much.

    In a size such as (1, 2), (2, 2) or (0, 0) different mistakes give the same numbers, so these
    count for more than they are.
    """
    cost = prod(max(n, 1) for n in size) * 8 ** max(size.count(0) - 1, 0)
    if 1 in size:
        cost *= 16
    if len(set(size)) < len(size):
        cost *= 4
    return 0 in size, cost, size


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


def draw_stride(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    """The size of a case under the stride that is expected, and under the one that came back."""
    return draw_strides(case.arguments[0], expected, yours)


def weigh_size(case: Case) -> tuple[Any, ...]:
    """The order of cases that are a size: see `plainness`."""
    return plainness(case.arguments[0])
