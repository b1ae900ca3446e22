"""ps1, `storage_needed`: the least storage that holds a header."""

from math import prod

from stridekit.diagrams import Diagram, draw_as_strided
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Argument, Outcome
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises.ps1 import header_cases, hops, is_late


def _reference(size: Ints, stride: Ints, storage_offset: int) -> int:
    return Layout(size, stride, storage_offset).needed


def _rule(size: Ints, stride: Ints, storage_offset: int) -> str:
    if 0 in size:
        return (
            f"a tensor of size {size} has no elements, so it needs no storage, whatever its "
            "storage_offset: 0."
        )
    last = tuple(n - 1 for n in size)
    way = hops(last, stride, storage_offset)
    return (
        f"the element furthest out has the index {last} and lies at position {way}, and positions "
        f"count from 0: {_reference(size, stride, storage_offset)}."
    )


def _picture(expected: int, outcome: Outcome, *header: Argument) -> Diagram | None:
    yours = outcome.value
    fits = type(yours) is int and 0 <= yours <= LONGEST
    length, whose = (yours, "yours") if fits else (expected, "expected")
    return draw_as_strided(arange(length), *header, title=f"{whose}: a storage of {length}")


def _ways(size: Ints, stride: Ints) -> list[int]:
    return [(n - 1) * step for n, step in zip(size, stride, strict=True)]


EXERCISE = Exercise(
    "storage_needed",
    ("size", "stride", "storage_offset"),
    place=6,
    returns=WHOLE,
    reordered=("size", "stride"),
    cases=header_cases,
    late=is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "this is the number of elements. It is enough only if they lie one after another from "
        "position 0 on: gaps are storage too.": lambda size, *_: prod(size),
        "if storage_offset is forgotten.": lambda size, stride, _: _reference(size, stride, 0),
        "this is the last position itself. Positions count from 0, "
        "so the storage is longer by 1.": lambda *header: max(_reference(*header) - 1, 0),
        "if size × stride is added in each dim. From the first element to the last there are size "
        "- 1 steps.": lambda size, stride, offset: (
            offset + sum(map(int.__mul__, size, stride)) + 1 if prod(size) else 0
        ),
        "if the longest dim is counted as size × stride. The storage may end right after the last "
        "element.": lambda size, stride, offset: (
            offset + max(map(int.__mul__, size, stride), default=1) if prod(size) else 0
        ),
        "if tensors without elements are not treated apart: a size of 0 then counts as one step "
        "back.": lambda size, stride, offset: offset + sum(_ways(size, stride)) + 1,
        "if only the dim that leads furthest counts. "
        "The ways along all dims add up.": lambda size, stride, offset: (
            offset + max(_ways(size, stride), default=0) + 1 if prod(size) else 0
        ),
        "if a tensor without elements "
        "still needs its storage_offset.": lambda size, stride, offset: (
            _reference(size, stride, offset) if prod(size) else offset
        ),
    },
)
