"""What ps2 shares on headers: cases, their order, the picture of what was given and came back."""

import random
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_sizes
from stridekit.checks.exercise import Reference, Refusal
from stridekit.checks.pictures import as_layout, draw_headers
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Case, Plain
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout

# A grid's strides and its offset: row-major, column-major, expanded, padded with gaps.
GRIDS = (((3, 1), 0), ((1, 2), 4), ((0, 1), 0), ((7, 2), 4))


BLOCKS = (((9, 3, 1), 0), ((1, 4, 2), 5), ((0, 8, 3), 0))


def small_headers(rank: int) -> Iterator[Layout]:
    """Every size of that rank from 0 to 3, under a few strides and offsets."""
    for size in small_sizes(rank):
        if len(size) == rank:
            for stride, offset in _STRIDES[rank]:
                yield Layout(size, stride, offset)


_STRIDES: dict[int, tuple[tuple[Ints, int], ...]] = {
    0: (((), 0), ((), 4)),
    1: tuple(((step,), offset) for step in (0, 1, 2, 5) for offset in (0, 4)),
    2: GRIDS,
    3: BLOCKS,
}


def small_pairs(rank: int) -> Iterator[tuple[Ints, Ints]]:
    """Every size of that rank from 0 to 3, with strides: all of a small set up to rank 2."""
    strides = [stride for stride, _ in _STRIDES[rank]] if rank != 1 else []
    if rank < 3:
        strides += product((0, 3, 5), repeat=rank)
    for size in small_sizes(rank):
        if len(size) == rank:
            for stride in dict.fromkeys(strides):
                yield size, stride


def random_headers(count: int, chance: random.Random) -> Iterator[tuple[Layout, int]]:
    """Larger headers, each with one of its dims, counted from either side."""
    for layout in random_layouts(count, chance):
        yield layout, chance.randrange(-layout.ndim, layout.ndim)


def simplest_first(reference: Reference) -> Callable[[Case], tuple[Any, ...]]:
    """Cases in the order in which they teach: the plain small ones before the special ones.

    A function that is wrong on plain cases and refuses nothing either should hear of the plain
    cases first, and see a picture with more than one element.
    """

    def weigh(case: Case) -> tuple[Any, ...]:
        size, stride = case.arguments[:2]
        expected = reference(*case.arguments)
        if isinstance(expected, Refusal):
            return (True, *weigh_arguments(case))
        least = min(expected[0], default=2)
        repeats = sum(len(numbers) - len(set(numbers)) for numbers in (size, stride))
        special = (not size, 0 in size, 1 in size, least == 0, least == 1, 0 in stride, repeats)
        return (False, prod(size) > 12, *special, *weigh_arguments(case))

    return weigh


def draw_header_change(
    given: tuple[Ints, Ints, int], expected: Plain, returned: Plain, select: Ints | None = None
) -> Diagram | None:
    """What was given, what is expected, and what came back, over one storage.

    A result may be a header, or a size and a stride, which begin where the given one does.
    `select` is an index of what was given: the way to it is shown.
    """
    headers = {
        "given": given,
        "expected": _as_header(expected, given[2]),
        "yours": _as_header(returned, given[2]),
    }
    if as_layout(given) is None:
        select = None
    return draw_headers({name: each for name, each in headers.items() if each}, select=select)


def draw_size_and_stride(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    """As `draw_header_change`, of a case that begins with a size and a stride."""
    size, stride = case.arguments[:2]
    return draw_header_change((size, stride, 0), expected, returned)


def _as_header(value: Plain, offset: int) -> Plain:
    """The value as a header that can be drawn, or None."""
    if not isinstance(value, tuple):
        return None
    if SIZE_AND_STRIDE.complaint(value) is None:
        value = (*value, offset)
    layout = as_layout(value)
    # What a learner returns may be no tensor at all, or one of more elements than can be counted.
    if layout is None or min(layout.stride, default=0) < 0 or prod(layout.size) > 10**6:
        return None
    return value
