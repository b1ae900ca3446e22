"""ps6, `line_switches`: how often reading moves to another cache line."""

from itertools import pairwise
from typing import Any

from stridekit.layouts.layout import Ints
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises import ps6

draft = Draft("line_switches", ps6.PARAMETERS, place=6, returns=WHOLE)


@draft.rule
def _rule(*arguments: Any) -> str:
    return (
        f"{ps6.where(*arguments)}: the first counts, and each that is another than the one "
        f"before it, {ps6.switches(*arguments)} in all."
    )


draft.cases(ps6.line_cases)
draft.reference(ps6.switches)
draft.picture(ps6.draw_lines)
draft.weigh(ps6.weigh_lines)
draft.mistake(
    "this is what you get if distinct lines are counted. A line that is left and visited "
    "again counts again.",
    ps6.distinct_lines,
)


@draft.mistake("this is what you get if the first visit is not counted.")
def _first_not_counted(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Any:
    lines = ps6.lines_of(size, stride, storage_offset, itemsize, line)[1]
    return sum(a != b for a, b in pairwise(lines))


@draft.mistake("this is what you get if storage_offset is forgotten.")
def _switches_without_offset(size: Ints, stride: Ints, _: int, itemsize: int, line: int) -> Any:
    return ps6.switches(size, stride, 0, itemsize, line)


@draft.mistake(
    "this is what you get if positions are taken for bytes. A line is so many bytes long, "
    "and an element has itemsize of them."
)
def _switches_without_itemsize(
    size: Ints, stride: Ints, storage_offset: int, _: int, line: int
) -> Any:
    return ps6.switches(size, stride, storage_offset, 1, line)


@draft.mistake(
    "this is what you get if the first dim moves fastest. In row-major order the last one does."
)
def _column_by_column(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> Any:
    return ps6.switches(size[::-1], stride[::-1], storage_offset, itemsize, line)


@draft.mistake(
    "this is what you get if every row counts its first visit. A row may begin on the "
    "line that the row before ended on."
)
def _each_row_anew(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Any:
    if not size:
        return 1
    lines = ps6.lines_of(size, stride, storage_offset, itemsize, line)[1]
    row = size[-1]
    return sum(
        number % row == 0 or own != lines[number - 1] for number, own in enumerate(lines)
    )  # fmt: skip


EXERCISE = draft.exercise()
