"""ps6, `lines_touched`: how many cache lines hold a tensor."""

from math import prod
from typing import Any

from stridekit.layouts.layout import Ints
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises import ps6

draft = Draft("lines_touched", ps6.PARAMETERS, place=5, returns=WHOLE)


@draft.rule
def _rule(*arguments: Any) -> str:
    count = ps6.distinct_lines(*arguments)
    return f"{ps6.where(*arguments)}: {count} different one{'' if count == 1 else 's'}."


draft.cases(ps6.line_cases)
draft.reference(ps6.distinct_lines)
draft.picture(ps6.draw_lines)
draft.weigh(ps6.weigh_lines)


@draft.mistake(
    "this is what you get from numel × itemsize / line. That holds for elements which "
    "lie side by side from the start of a line; the stride says where they really lie."
)
def _by_numel(size: Ints, _stride: Ints, _offset: int, itemsize: int, line: int) -> Any:
    return -(-prod(size) * itemsize // line)


@draft.mistake("this is what you get if numel × itemsize / line is rounded down.")
def _by_numel_down(size: Ints, _stride: Ints, _offset: int, itemsize: int, line: int) -> Any:
    return prod(size) * itemsize // line


@draft.mistake("this is what you get if storage_offset is forgotten.")
def _without_offset(size: Ints, stride: Ints, _: int, itemsize: int, line: int) -> Any:
    return ps6.distinct_lines(size, stride, 0, itemsize, line)


@draft.mistake(
    "this is what you get if positions are taken for bytes. A line is so many bytes long, "
    "and an element has itemsize of them."
)
def _without_itemsize(size: Ints, stride: Ints, storage_offset: int, _: int, line: int) -> Any:
    return ps6.distinct_lines(size, stride, storage_offset, 1, line)


@draft.mistake(
    "this is what you get if every line from the first to the last is counted. Some may "
    "hold no element."
)
def _span(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Any:
    lines = ps6.lines_of(size, stride, storage_offset, itemsize, line)[1]
    return max(lines) - min(lines) + 1 if lines else 0


@draft.mistake("this is what you get if positions are counted instead of lines.")
def _positions(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> Any:
    return len(set(ps6.lines_of(size, stride, storage_offset, itemsize, line)[0]))


draft.mistake(
    "this is line_switches: a line that comes again counts once here.",
    ps6.switches,
)
EXERCISE = draft.exercise()
