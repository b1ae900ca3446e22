"""What ps5 shares on overlap: layouts, positions, which indices meet, the usual half answers."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, random_sizes, small_layouts
from stridekit.checks.exercise import Arguments
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell

LISTED_MOST = 12


def distinct_positions(size: Ints, stride: Ints) -> set[int]:
    """The positions that indices reach, from offset 0.

    >>> sorted(distinct_positions((3, 2), (1, 1)))
    [0, 1, 2, 3]
    """
    reached = {0}
    for n, step in zip(size, stride, strict=True):
        reached = {position + i * step for position in reached for i in range(n)}
    return reached


def overlaps(size: Ints, stride: Ints) -> bool:
    """Whether two indices share a position.

    >>> overlaps((3, 2), (1, 1)), overlaps((3, 2), (2, 3))
    (True, False)
    """
    return len(distinct_positions(size, stride)) < prod(size)


def _first_shared(size: Ints, stride: Ints) -> tuple[Ints, Ints, int] | None:
    """Two indices that share a position, the first in reading order, and the position."""
    layout = Layout(size, stride)
    first: dict[int, Ints] = {}
    for index, position in zip(layout.indices(), layout.positions(), strict=True):
        if position in first:
            return first[position], index, position
        first[position] = index
    return None


def meeting(size: Ints, stride: Ints) -> str:
    """Which two indices share a position, in words."""
    shared = _first_shared(size, stride)
    assert shared is not None
    one, other, position = shared
    return f"the indices {one} and {other} both lie at position {position}"


def listed_positions(positions: Iterable[int]) -> str:
    """Positions as they stand in a sentence, the first few of them."""
    listed = [*positions]
    more = ", …" if len(listed) > LISTED_MOST else ""
    return f"{spell(listed[:LISTED_MOST])}{more}"


def overlap_layouts(hidden: bool, chance: random.Random) -> Iterator[Layout]:
    """Small layouts of every kind, and larger ones that overlap in every way, or narrowly not."""
    yield from small_layouts(2, (0, 1, 2, 3, 5))
    sizes, strides = ((1, 2, 3), (0, 1, 2, 3, 5)) if hidden else ((2, 3), (1, 2, 3))
    for size in product(sizes, repeat=3):
        for stride in product(strides, repeat=3):
            yield Layout(size, stride)
    for size in product((0, 1, 2), repeat=3):
        yield Layout(size, (0, 1, 1))
    count = 200 if hidden else 50
    yield from random_layouts(count, chance, (2, 4), 200)
    for size in random_sizes(2 * count, chance, (2, 4), 120):
        yield Layout(size, tuple(chance.choice((0, 1, 2, 3, 4, 6, 7, 9, 13, 20)) for _ in size))
    for size in random_sizes(count, chance, (1, 3), 40):
        # Windows, side by side or over one another.
        steps = contiguous_stride(size)
        window, hop = chance.randint(1, 4), chance.randint(1, 4)
        yield Layout((*size, window), (*(step * hop for step in steps), 1))


def overlap_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """The layouts, as the arguments size and stride."""
    for layout in overlap_layouts(hidden, chance):
        yield layout.size, layout.stride


def apart(size: Ints, stride: Ints) -> str:
    """Why no two indices share a position."""
    count = prod(size)
    if count == 0:
        return "without elements there is no index, and so no two that share a position."
    if count == 1:
        return "a single element shares its position with no other, whatever the strides."
    still = any(n == 1 and step == 0 for n, step in zip(size, stride, strict=True))
    aside = " (a dim of size 1 repeats nothing, even with stride 0)" if still else ""
    positions = listed_positions(Layout(size, stride).positions())
    return f"its {count} indices lie at {count} different positions, {positions}{aside}."


def zero_repeats(size: Ints, stride: Ints) -> bool:
    """Whether some dim of size above 1 has stride 0."""
    return any(n > 1 and step == 0 for n, step in zip(size, stride, strict=True))


def only_zero(size: Ints, stride: Ints) -> Any:
    """Whether some dim repeats its elements by stride 0: the usual half of the answer."""
    return prod(size) > 0 and zero_repeats(size, stride)


def not_nested(size: Ints, stride: Ints) -> Any:
    """The usual quick test: from the smallest stride up, each must clear what is below it."""
    if prod(size) == 0:
        return False
    below = 0
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1:
            if step <= below:
                return True
            below += (n - 1) * step
    return False
