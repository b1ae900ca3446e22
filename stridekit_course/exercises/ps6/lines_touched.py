"""ps6, `lines_touched`: how many cache lines hold a tensor."""

from math import prod
from typing import Any

from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises import ps6


def _rule(*arguments: Any) -> str:
    count = ps6.distinct_lines(*arguments)
    return f"{ps6.where(*arguments)}: {count} different one{'' if count == 1 else 's'}."


def _span(*given: Any) -> int:
    lines = ps6.lines_of(*given)[1]
    return max(lines) - min(lines) + 1 if lines else 0


EXERCISE = Exercise(
    "lines_touched",
    ("size", "stride", "storage_offset", "itemsize", "line"),
    place=5,
    returns=WHOLE,
    cases=ps6.line_cases,
    late=ps6.are_lines_late,
    reference=ps6.distinct_lines,
    rule=_rule,
    picture=ps6.draw_lines,
    known={
        "from numel × itemsize / line. That holds for elements which lie side by side from the "
        "start of a line; the "
        "stride says where they really lie.": lambda size, _, __, itemsize, line: (
            -(-prod(size) * itemsize // line)
        ),
        "if numel × itemsize / line is rounded down.": lambda size, _, __, itemsize, line: (
            prod(size) * itemsize // line
        ),
        "if storage_offset is forgotten.": lambda size, stride, _, *rest: ps6.distinct_lines(
            size, stride, 0, *rest
        ),
        "if positions are taken for bytes. A line is so many bytes long, and an element has "
        "itemsize of them.": lambda size, stride, offset, _, line: ps6.distinct_lines(
            size, stride, offset, 1, line
        ),
        "if every line from the first to the last is counted. Some may hold no element.": _span,
        "if positions are counted instead of lines.": lambda *given: len(
            {*ps6.lines_of(*given)[0]}
        ),
        "this is line_switches: a line that comes again counts once here.": ps6.switches,
    },
)
