"""Assignment ps6, cache lines: lines_touched and line_switches."""

import random
from collections.abc import Iterable
from itertools import groupby, pairwise
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.returns import WHOLE
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps6_pictures import Shown, draw_over_bytes
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

PARAMETERS = ("size", "stride", "storage_offset", "itemsize", "line")


def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _weigh(case: Case) -> tuple[Any, ...]:
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


def _lines(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> tuple[list[int], list[int]]:
    """The positions in reading order, and the line that each lies on."""
    positions = [*Layout(size, stride, storage_offset).positions()]
    return positions, [position * itemsize // line for position in positions]


def _lines_touched(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Plain:
    return len(set(_lines(size, stride, storage_offset, itemsize, line)[1]))


def _line_switches(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Plain:
    return sum(1 for _ in groupby(_lines(size, stride, storage_offset, itemsize, line)[1]))


def _where(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> str:
    positions, lines = _lines(size, stride, storage_offset, itemsize, line)
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


def _lines_touched_rule(*arguments: Any) -> str:
    count = _lines_touched(*arguments)
    return f"{_where(*arguments)}: {count} different one{'' if count == 1 else 's'}."


def _line_switches_rule(*arguments: Any) -> str:
    return (
        f"{_where(*arguments)}: the first counts, and each that is another than the one before "
        f"it, {_line_switches(*arguments)} in all."
    )


def _draw(case: Case, *_: Plain) -> Diagram | None:
    size, stride, offset, itemsize, line = case.arguments
    if 0 in size:
        return None
    return draw_over_bytes(
        {"tensor": Shown((size, stride, offset), itemsize)}, traverse=True, line=line
    )


def _by_numel(size: Ints, _stride: Ints, _offset: int, itemsize: int, line: int) -> Any:
    return -(-prod(size) * itemsize // line)


def _by_numel_down(size: Ints, _stride: Ints, _offset: int, itemsize: int, line: int) -> Any:
    return prod(size) * itemsize // line


def _span(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Any:
    lines = _lines(size, stride, storage_offset, itemsize, line)[1]
    return max(lines) - min(lines) + 1 if lines else 0


def _without_offset(size: Ints, stride: Ints, _: int, itemsize: int, line: int) -> Any:
    return _lines_touched(size, stride, 0, itemsize, line)


def _without_itemsize(size: Ints, stride: Ints, storage_offset: int, _: int, line: int) -> Any:
    return _lines_touched(size, stride, storage_offset, 1, line)


def _positions(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Any:
    return len(set(_lines(size, stride, storage_offset, itemsize, line)[0]))


LINES_TOUCHED = plain_exercise(
    "lines_touched",
    PARAMETERS,
    cases=_cases,
    reference=_lines_touched,
    returns=WHOLE,
    rule=_lines_touched_rule,
    picture=_draw,
    weigh=_weigh,
    mistakes=(
        Mistake(
            _by_numel,
            "this is what you get from numel × itemsize / line. That holds for elements which "
            "lie side by side from the start of a line; the stride says where they really lie.",
        ),
        Mistake(_by_numel_down, "this is what you get if numel × itemsize / line is rounded down."),
        Mistake(_without_offset, "this is what you get if storage_offset is forgotten."),
        Mistake(
            _without_itemsize,
            "this is what you get if positions are taken for bytes. A line is so many bytes long, "
            "and an element has itemsize of them.",
        ),
        Mistake(
            _span,
            "this is what you get if every line from the first to the last is counted. Some may "
            "hold no element.",
        ),
        Mistake(_positions, "this is what you get if positions are counted instead of lines."),
        Mistake(_line_switches, "this is line_switches: a line that comes again counts once here."),
    ),
)


def _first_not_counted(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Any:
    lines = _lines(size, stride, storage_offset, itemsize, line)[1]
    return sum(a != b for a, b in pairwise(lines))


def _column_by_column(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Any:
    return _line_switches(size[::-1], stride[::-1], storage_offset, itemsize, line)


def _switches_without_offset(size: Ints, stride: Ints, _: int, itemsize: int, line: int) -> Any:
    return _line_switches(size, stride, 0, itemsize, line)


def _switches_without_itemsize(
    size: Ints, stride: Ints, storage_offset: int, _: int, line: int
) -> Any:
    return _line_switches(size, stride, storage_offset, 1, line)


def _each_row_anew(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Any:
    if not size:
        return 1
    lines = _lines(size, stride, storage_offset, itemsize, line)[1]
    row = size[-1]
    return sum(
        number % row == 0 or own != lines[number - 1] for number, own in enumerate(lines)
    )  # fmt: skip


LINE_SWITCHES = plain_exercise(
    "line_switches",
    PARAMETERS,
    cases=_cases,
    reference=_line_switches,
    returns=WHOLE,
    rule=_line_switches_rule,
    picture=_draw,
    weigh=_weigh,
    mistakes=(
        Mistake(
            _lines_touched,
            "this is what you get if distinct lines are counted. A line that is left and visited "
            "again counts again.",
        ),
        Mistake(_first_not_counted, "this is what you get if the first visit is not counted."),
        Mistake(_switches_without_offset, "this is what you get if storage_offset is forgotten."),
        Mistake(
            _switches_without_itemsize,
            "this is what you get if positions are taken for bytes. A line is so many bytes long, "
            "and an element has itemsize of them.",
        ),
        Mistake(
            _column_by_column,
            "this is what you get if the first dim moves fastest. In row-major order the last "
            "one does.",
        ),
        Mistake(
            _each_row_anew,
            "this is what you get if every row counts its first visit. A row may begin on the "
            "line that the row before ended on.",
        ),
    ),
)
