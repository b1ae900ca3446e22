"""ps6, `line_switches`: how often reading moves to another cache line."""

from itertools import pairwise
from typing import Any

from stridekit.layouts.layout import Ints
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises import ps6


def _rule(*arguments: Any) -> str:
    count = ps6.switches(*arguments)
    why = "the first counts, and each that differs from the one before it, " if count else ""
    return f"{ps6.where(*arguments)}: {why}{count} in all."


def _each_row_anew(size: Ints, *rest: Any) -> int:
    if not size:
        return 1
    lines = ps6.lines_of(size, *rest)[1]
    return sum(
        number % size[-1] == 0 or own != lines[number - 1] for number, own in enumerate(lines)
    )


EXERCISE = Exercise(
    "line_switches",
    ("size", "stride", "storage_offset", "itemsize", "line"),
    place=6,
    returns=WHOLE,
    cases=ps6.line_cases,
    late=ps6.are_lines_late,
    reference=ps6.switches,
    rule=_rule,
    picture=ps6.draw_lines,
    known={
        "if distinct lines are counted. A line that is left "
        "and visited again counts again.": ps6.distinct_lines,
        "if the first visit is not counted.": lambda *given: sum(
            a != b for a, b in pairwise(ps6.lines_of(*given)[1])
        ),
        "if the visit before the first is taken to be on line 0. There is none: the first visit "
        "counts on line 0 too.": lambda *given: sum(
            a != b for a, b in pairwise((0, *ps6.lines_of(*given)[1]))
        ),
        "if storage_offset is forgotten.": lambda size, stride, _, *rest: ps6.switches(
            size, stride, 0, *rest
        ),
        "if positions are taken for bytes. A line is so many bytes long, and an element has "
        "itemsize of them.": lambda size, stride, offset, _, line: ps6.switches(
            size, stride, offset, 1, line
        ),
        "if the first dim runs fastest. In row-major order the last one does.": (
            lambda size, stride, *rest: ps6.switches(size[::-1], stride[::-1], *rest)
        ),
        "if every row counts its first visit. A row may begin on the line that the row before "
        "ended on.": _each_row_anew,
    },
)
