"""What ps6 shares on cache lines: cases, their order, lines in reading order, the picture."""

import random
from collections.abc import Iterable
from itertools import groupby
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps6.byte_pictures import Shown, draw_over_bytes
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

PARAMETERS = ("size", "stride", "storage_offset", "itemsize", "line")


def line_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """Small and larger headers, under cache lines of one element to sixteen."""
    for layout in small_layouts(2, (0, 1, 2, 3, 5), (0, 1)):
        yield _arguments(layout, 4, 8)
        if hidden or layout.ndim < 2 or layout.storage_offset:
            yield _arguments(layout, 8, 32)
    if hidden:
        for layout in small_layouts(3, (0, 1, 2, 6), (1,)):
            if layout.ndim == 3:
                yield _arguments(layout, 2, 4)
    for layout in random_layouts(500 if hidden else 150, chance, (1, 5), 300):
        itemsize = chance.choice((1, 2, 4, 8))
        yield _arguments(layout, itemsize, itemsize * chance.choice((1, 2, 4, 8, 16)))


def _arguments(layout: Layout, itemsize: int, line: int) -> Arguments:
    return layout.size, layout.stride, layout.storage_offset, itemsize, line


def weigh_lines(case: Case) -> tuple[Any, ...]:
    """Small ones first, and first of all those that lie at the start without gaps."""
    size, stride, offset, itemsize, line = case.arguments
    # First what lies at the start and without gaps, then gaps, then offsets: so that a mistake
    # about one of them shows where nothing else can be to blame.
    gaps = stride != contiguous_stride(size)
    return (
        0 in size,
        offset > 0,
        gaps,
        prod(size),
        sum(stride),
        line,
        itemsize,
        size,
        stride[::-1],
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
