"""What ps2 shares on headers: cases, their order, the picture of what was given and came back."""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.exercise import Reference, Refusal
from stridekit.checks.pictures import as_layout, draw_headers
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Case, Plain
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout

# What the texts say: so many dims, and the greatest size.
DIMS_MOST, SIZE_MOST = 12, 300
# Strides and offsets of a grid: with gaps, row-major, column-major, expanded, overlapping.
PADDED = ((7, 2), 4)
GRIDS = (PADDED, ((3, 1), 0), ((1, 3), 4), ((0, 1), 0), ((3, 3), 1))
_ROWS = (((1,), 0), ((5,), 4), ((0,), 3))
_BLOCKS = (((9, 3, 1), 4), ((1, 4, 2), 0), ((0, 8, 3), 5), ((2, 2, 2), 0))
_HEADERS = {0: (((), 4), ((), 0)), 1: _ROWS, 2: GRIDS, 3: _BLOCKS}
# Two dims that are alike, and no neighbours; numbers that no float holds.
TWINS = Layout((2, 3, 2), (5, 1, 5), 4)
HUGE = Layout((2, 3), (2**53 + 1, 2), 10**17 + 1)
# Dims that differ, though some sizes and strides are equal.
_SIZES = (2, 3, 1, 4) * 3
_STEPS = (60, 7, 7, 1, 0, 12, 2, 300, 5, 3, 11, 20)


def headers_of(rank: int, sizes: Iterable[Ints], *, count: int = 5) -> Iterator[Layout]:
    """Those sizes, each under the first few strides and offsets for that rank."""
    for size in sizes:
        for stride, offset in _HEADERS[rank][:count]:
            yield Layout(size, stride, offset)


def sizes_of(rank: int, most: int = 3, least: int = 0) -> Iterator[Ints]:
    """Every size of that rank."""
    return product(range(least, most + 1), repeat=rank)


def of_many_dims(rank: int) -> Layout:
    """A header with dims of two digits, if there are so many."""
    return Layout(_SIZES[:rank], _STEPS[:rank], 2)


def larger_headers(count: int, chance: random.Random) -> Iterator[tuple[Layout, int]]:
    """Larger headers, each with one of its dims, counted from either side.

    Some strides and offsets are greater than what a float holds.
    """
    for _ in range(count):
        rank = chance.choice((3, 4, 4, 5, 5, 6, 7, 9, DIMS_MOST))
        size = chance.choices((0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10, 12, 101, 299, SIZE_MOST), k=rank)
        stride = chance.choices((0, 1, 1, 2, 3, 5, 12, 60, 300, 1000, HUGE.stride[0]), k=rank)
        offset = chance.choice((0, 0, 1, 3, 300, HUGE.storage_offset))
        yield Layout(tuple(size), tuple(stride), offset), chance.randrange(-rank, rank)


def simplest_first(reference: Reference) -> Callable[[Case], tuple[Any, ...]]:
    """Cases in the order in which they teach: the plain small ones before the special ones.

    A function that is wrong on plain cases and refuses nothing either should hear of the plain
    cases first, and see a picture with more than one element. Where nothing changes, a number
    comes twice, or a stride is 1, different mistakes give the same answer; so they do where a
    dim is named that is not there, and there is one dim.
    """

    def weigh(case: Case) -> tuple[Any, ...]:
        size, stride = case.arguments[:2]
        expected = reference(*case.arguments)
        if isinstance(expected, Refusal):
            return (True, len(size) < 2, 0 in stride, *weigh_arguments(case))
        least = min(expected[0], default=2)
        repeats = sum(len(numbers) - len(set(numbers)) for numbers in (size, stride))
        special = (
            not expected[0], 0 in size, 1 in size, least == 0, least == 1, 0 in stride, repeats,
            expected[:2] == (size, stride), 1 in stride,
        )  # fmt: skip
        numbers = [*size, *stride, *(n for n in case.arguments[2:] if isinstance(n, int))]
        large = (prod(size) > 24) + (len(size) > 6 or max(map(abs, numbers), default=0) > 60)
        return (False, large, *special, *weigh_arguments(case))

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
