"""What ps1 shares on headers: cases, their order, the way to an element as a sum."""

import random
from collections.abc import Iterator
from math import prod
from typing import Any

from stridekit.checks.cases import headers, random_layouts, small_layouts
from stridekit.checks.exercise import Arguments
from stridekit.checks.seam import Case
from stridekit.layouts.layout import Ints


def hops(index: Ints, stride: Ints, storage_offset: int) -> str:
    """The way to an index as a sum: 2 + 1·3 + 2·1 = 7. A negative stride has parentheses.

    >>> hops((1, 2), (3, -1), 2)
    '2 + 1·3 + 2·(-1) = 3'
    """
    steps = [f"({step})" if step < 0 else str(step) for step in stride]
    terms = [f"{i}·{step}" for i, step in zip(index, steps, strict=True)]
    target = storage_offset + sum(map(int.__mul__, index, stride))
    sums = " + ".join([str(storage_offset), *terms])
    return f"{sums} = {target}" if terms else sums


def weigh_header(case: Case) -> tuple[Any, ...]:
    """The order of cases that begin with a header: small ones first, but none that hides much.

    With one element, or with a stride of 0, different mistakes look the same, so those cases
    count for more than they are. Positive strides come before negative ones, offset 0 before
    others, and a stride that descends before one that ascends.
    """
    size, stride, storage_offset, *rest = case.arguments
    numel = prod(size)
    cost = 4 * numel if numel == 1 or 0 in stride else numel
    backward = sum(step < 0 for step in stride)
    extent = sum(map(abs, (*size, *stride, *rest)))
    order = tuple(-step for step in stride)
    return numel == 0, cost, len(size), backward, storage_offset, extent, order, size, rest


def layout_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    """Every small header of up to two dims, and larger ones; hidden, also some of three dims."""
    yield from headers(small_layouts(2, (0, 1, 2, 3, 5), (0, 2)))
    if hidden:
        small = small_layouts(3, (0, 1, 2, 6), (1,))
        yield from headers(layout for layout in small if layout.ndim == 3)
    most = 200 if hidden else 60
    yield from headers(random_layouts(600 if hidden else 100, chance, (1, 5), most))
