"""Assignment ps5, overlap: has_overlap, and what it shares with the exercises on writes."""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, random_sizes, small_layouts
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise, weigh_arguments
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import TRUTH
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
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


def weigh_strides(case: Case) -> tuple[Any, ...]:
    """As usual, but a stride of 0 that was given comes late: much is right by chance there."""
    size, stride = case.arguments[:2]
    return 0 in size, 0 in stride, weigh_arguments(case)


def _draw_given(case: Case, *_: Plain) -> Diagram | None:
    """The layout of a case, over the storage that it needs."""
    size, stride = case.arguments[:2]
    return draw_headers({"given": (size, stride, 0)})


# has_overlap


def overlap_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """The layouts, as the arguments size and stride."""
    for layout in overlap_layouts(hidden, chance):
        yield layout.size, layout.stride


def _overlap_rule(size: Ints, stride: Ints) -> str:
    if overlaps(size, stride):
        return f"it overlaps if two indices share a position, and {meeting(size, stride)}."
    return apart(size, stride)


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


def _only_zero_even_empty(size: Ints, stride: Ints) -> Any:
    return zero_repeats(size, stride)


def _any_zero(_size: Ints, stride: Ints) -> Any:
    return 0 in stride


def _any_zero_with_elements(size: Ints, stride: Ints) -> Any:
    return prod(size) > 0 and 0 in stride


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


def _too_many(size: Ints, stride: Ints) -> Any:
    reach = Layout(size, stride).reach
    return reach is not None and prod(size) > reach[1] + 1


def _equal_strides(size: Ints, stride: Ints) -> Any:
    steps = [step for n, step in zip(size, stride, strict=True) if n > 1]
    return prod(size) > 0 and (0 in steps or len(set(steps)) < len(steps))


def _pairs_of_dims(size: Ints, stride: Ints) -> Any:
    if 0 in size:
        return False
    pairs = combinations(zip(size, stride, strict=True), 2)
    return zero_repeats(size, stride) or any(
        overlaps((n, other_n), (step, other_step)) for (n, step), (other_n, other_step) in pairs
    )


def _has_gap_or_order(size: Ints, stride: Ints) -> Any:
    return not Layout(size, stride).is_contiguous


_ZERO_ON_ONE = (
    "this is what you get if every stride 0 counts. On a dim of size 1 it repeats nothing."
)

HAS_OVERLAP = plain_exercise(
    "has_overlap",
    ("size", "stride"),
    cases=overlap_cases,
    reference=overlaps,
    returns=TRUTH,
    rule=_overlap_rule,
    picture=_draw_given,
    mistakes=(
        Mistake(
            only_zero,
            "this is what you get if only stride 0 is taken for overlap. Equal strides, and "
            "others too, can lead two indices to one position.",
        ),
        Mistake(_any_zero_with_elements, _ZERO_ON_ONE),
        Mistake(_any_zero, _ZERO_ON_ONE),
        Mistake(
            _only_zero_even_empty,
            "this is what you get if a stride 0 counts in a tensor without elements.",
        ),
        Mistake(
            _equal_strides,
            "this is what you get if only stride 0 and equal strides are looked for. 2 + 2 and "
            "4 meet as well.",
        ),
        Mistake(
            _too_many,
            "this is what you get if elements are only counted against positions. Where there "
            "are gaps, two can share a position although there would be room.",
        ),
        Mistake(
            not_nested,
            "this is what you get if every stride has to clear all the smaller dims. That is "
            "enough to be free of overlap, but not needed: strides can interleave.",
        ),
        Mistake(
            _pairs_of_dims,
            "this is what you get if dims are compared two at a time. Three can meet where no "
            "two do: strides 1, 2 and 3.",
        ),
        Mistake(
            _has_gap_or_order,
            "this is what you get if all that is not contiguous is taken for overlap.",
        ),
    ),
)
