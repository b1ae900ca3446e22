"""What ps6 shares on cache lines: cases, their order, lines in reading order, the picture."""

import random
from collections.abc import Iterable
from itertools import cycle, groupby, product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps6.byte_pictures import DTYPES, Shown, draw_over_bytes
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

PARAMETERS = ("size", "stride", "storage_offset", "itemsize", "line")


# Itemsizes and lines: no powers of two among them, one element to a line, and sixteen.
_BYTES = ((4, 8), (3, 12), (4, 64), (16, 64), (12, 36), (8, 32), (6, 6), (2, 8), (1, 5), (24, 48))
# What the same header may lie on: so that no part of a case can be left out of account.
_ONE_HEADER = (Layout((4,), (1,)), Layout((2, 3), (1, 4)), Layout((3, 2), (4, 1)))


def line_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """Small and larger headers, under cache lines of one element to sixteen.

    At most 7 dims and 400 elements, and positions below 200,000.
    """
    for layout, offset in product(_ONE_HEADER, (0, 1, 2, 3, 10, 17)):
        for units in _BYTES if hidden else _BYTES[:5]:
            yield layout.size, layout.stride, offset, *units
    turns = cycle(_BYTES)
    for layout in _small(hidden):
        yield layout.size, layout.stride, 0, 4, 8
        yield layout.size, layout.stride, chance.choice((1, 2, 3)), *next(turns)
    for layout in _large():
        for offset in (0, 5) if hidden else (3,):
            yield layout.size, layout.stride, layout.storage_offset + offset, *next(turns)
    for layout in random_layouts(330 if hidden else 60, chance, (1, 7), 300):
        far = chance.choice((1, 1, 1, 7, 100))
        stride = tuple(step * far for step in layout.stride)
        offset = layout.storage_offset + chance.choice((0, 0, 0, 10, 37))
        yield layout.size, stride, offset, *next(turns)


def _small(hidden: bool) -> Iterable[Layout]:
    yield Layout((), ())
    yield from (Layout((n,), (step,)) for n in (1, 2, 3, 4, 5) for step in (0, 1, 2, 3, 5))
    sizes = product((1, 2, 3), repeat=2) if hidden else ((2, 2), (2, 3), (3, 2))
    for size in sizes:
        for stride in product((0, 1, 2, 3, 4, 5) if hidden else (0, 1, 3, 4), repeat=2):
            yield Layout(size, stride)
    # A dim of size 1 or 0 in every place, with a stride that goes nowhere.
    for place, n, rank in product(range(3), (0, 1), (1, 2, 3)):
        if place < rank:
            grid, steps = [2, 4, 3][:rank], [5, 1, 2][:rank]
            grid[place], steps[place] = n, 9
            yield Layout(tuple(grid), tuple(steps))
    if hidden:
        for size in ((2, 2, 2), (3, 2, 2), (2, 2, 3)):
            for stride in product((0, 1, 2, 6), repeat=3):
                yield Layout(size, stride)


def _large() -> Iterable[Layout]:
    """Rows and columns, lines that are left and visited again, many dims, far positions."""
    for size, stride in (
        *(((12, 10), (10, 1)), ((10, 12), (1, 10)), ((12, 10), (13, 1)), ((20, 20), (20, 1))),
        *(((11,), (1,)), ((11,), (16,)), ((100,), (3,)), ((15, 2), (0, 1)), ((2, 15), (1, 0))),
        *(((2, 3, 4, 5), (60, 20, 5, 1)), ((2, 5, 4, 3), (60, 1, 15, 5))),
        *(((2,) * 6, (32, 16, 8, 4, 2, 1)), ((2,) * 7, (1, 2, 4, 8, 16, 32, 64))),
        *(
            ((3, 1, 2, 1, 2, 2), (7, 5, 0, 3, 20, 1)),
            ((2, 2, 1, 2, 2, 2, 2), (9, 0, 4, 3, 3, 1, 6)),
        ),
        *(
            ((3, 3), (50_000, 1)),
            ((3, 2), (65_536, 1)),
            ((2, 2, 2), (40_000, 60_000, 1)),
            ((13, 3), (1, 15_000)),
        ),
    ):
        yield Layout(size, stride)
    yield from (Layout((6,), (1,), 123_457), Layout((5, 2), (3, 40), 199_001))


def weigh_lines(case: Case) -> tuple[Any, ...]:
    """Small ones first, and first of all those that lie at the start without gaps."""
    size, stride, offset, itemsize, line = case.arguments
    # First what lies at the start and without gaps, then gaps, then offsets: so that a mistake
    # about one of them shows where nothing else can be to blame. With two or three elements much
    # is right by chance, and not every itemsize can be drawn.
    gaps = stride != contiguous_stride(size)
    return (
        0 in size,
        prod(size) < 4,
        itemsize not in DTYPES,
        offset > 0,
        gaps,
        prod(size),
        sum(stride),
        line,
        itemsize,
        size,
        stride[::-1],
        offset,
    )


def lines_of(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> tuple[list[int], list[int]]:
    """The positions in reading order, and the line that each lies on."""
    positions = [*Layout(size, stride, storage_offset).positions()]
    return positions, [position * itemsize // line for position in positions]


def distinct_lines(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Plain:
    """How many different lines the elements lie on."""
    return len(set(lines_of(size, stride, storage_offset, itemsize, line)[1]))


def switches(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Plain:
    """How often the line changes on the way, the first one included."""
    return sum(1 for _ in groupby(lines_of(size, stride, storage_offset, itemsize, line)[1]))


def where(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> str:
    """Which positions and lines reading visits, in words."""
    positions, lines = lines_of(size, stride, storage_offset, itemsize, line)
    if not positions:
        return "there are no elements, so no line is visited"
    holds = line // itemsize
    many = "" if holds == 1 else "s"
    return (
        f"a line of {line} bytes holds {holds} element{many}, so position p is on line "
        f"p // {holds}. {_visited(positions, lines)}"
    )


def _visited(positions: list[int], lines: list[int]) -> str:
    if len(lines) == 1:
        return f"The only position is {positions[0]}, on line {lines[0]}"
    return f"In reading order the positions are {_some(positions)}, on the lines {_some(lines)}"


def _some(numbers: list[int], most: int = 12) -> str:
    return ", ".join(map(str, numbers[:most])) + (", …" if len(numbers) > most else "")


def draw_lines(case: Case, *_: Plain) -> Diagram | None:
    """The tensor of a case, its cache lines, and the visits."""
    size, stride, offset, itemsize, line = case.arguments
    if 0 in size:
        return None
    return draw_over_bytes(
        {"tensor": Shown((size, stride, offset), itemsize)}, traverse=True, line=line
    )
