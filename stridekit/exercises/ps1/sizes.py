"""What ps1 shares on sizes: cases, their order, the rule of a stride, the picture."""

import random
from collections.abc import Iterator
from math import prod
from typing import Any

from stridekit.checks.cases import random_sizes, small_sizes
from stridekit.checks.exercise import Arguments
from stridekit.checks.pictures import draw_strides
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, contiguous_stride


def size_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    """Every small size, and larger ones."""
    for size in small_sizes(4 if hidden else 3, most=5):
        yield (size,)
    for size in random_sizes(800 if hidden else 150, chance, (2, 6), 10**6):
        yield (size,)


def column_major(size: Ints) -> Ints:
    """The column-major stride of a size."""
    return contiguous_stride(size[::-1])[::-1]


def plainness(size: Ints) -> tuple[bool, int, Ints]:
    """The order of sizes: small ones first, but none that hides much.

    In a size such as (1, 2) or (2, 2) different mistakes give the same numbers, so these count
    for more than they are.
    """
    cost = prod(max(n, 1) for n in size)
    if 1 in size:
        cost *= 16
    if len(set(size)) < len(size):
        cost *= 4
    return 0 in size, cost, size


def stride_rule(size: Ints, side: str, factors: list[Ints]) -> str:
    """Where the stride of each dim comes from, given the sizes that are multiplied for it."""
    if not size:
        return "a size without dims has a stride without dims: ()."
    zeros = ", where a 0 counts as 1" if 0 in size else ""
    parts = []
    for dim, sizes in enumerate(factors):
        counted = [max(n, 1) for n in sizes]
        product = f"{'·'.join(map(str, counted))} = " if len(sizes) > 1 else ""
        alone = "" if sizes else f", which has nothing to its {side}"
        parts.append(f"{product}{prod(counted)} for dim {dim}{alone}")
    rule = f"the stride of a dim is the product of the sizes to its {side}{zeros}"
    return f"{rule}: {'; '.join(parts)}."


def draw_stride(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    """The size of a case under the stride that is expected, and under the one that came back."""
    return draw_strides(case.arguments[0], expected, yours)


def weigh_size(case: Case) -> tuple[Any, ...]:
    """The order of cases that are a size: see `plainness`."""
    return plainness(case.arguments[0])
