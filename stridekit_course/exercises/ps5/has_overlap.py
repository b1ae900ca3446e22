"""ps5, `has_overlap`: whether two indices share a position."""

from math import prod
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises import ps5
from stridekit_course.exercises.ps5 import overlap_cases

draft = Draft("has_overlap", ("size", "stride"), place=5, returns=TRUTH)


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    """The layout of a case, over the storage that it needs."""
    size, stride = case.arguments[:2]
    return draw_headers({"given": (size, stride, 0)})


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    if ps5.overlaps(size, stride):
        meeting = ps5.meeting(size, stride)
        return f"it overlaps if two indices share a position, and {meeting}."
    return ps5.apart(size, stride)


_ZERO_ON_ONE = (
    "this is what you get if every stride 0 counts. On a dim of size 1 it repeats nothing."
)
draft.cases(overlap_cases)
draft.reference(ps5.overlaps)
draft.mistake(
    "this is what you get if only stride 0 is taken for overlap. Equal strides, and "
    "others too, can lead two indices to one position.",
    ps5.only_zero,
)


@draft.mistake(_ZERO_ON_ONE)
def _any_zero_with_elements(size: Ints, stride: Ints) -> Any:
    return prod(size) > 0 and 0 in stride


@draft.mistake(_ZERO_ON_ONE)
def _any_zero(_size: Ints, stride: Ints) -> Any:
    return 0 in stride


@draft.mistake("this is what you get if a stride 0 counts in a tensor without elements.")
def _only_zero_even_empty(size: Ints, stride: Ints) -> Any:
    return ps5.zero_repeats(size, stride)


for _hint, _half_answer in ps5.HALF_ANSWERS:
    draft.mistake(_hint, _half_answer)


@draft.mistake("this is what you get if all that is not contiguous is taken for overlap.")
def _has_gap_or_order(size: Ints, stride: Ints) -> Any:
    return not Layout(size, stride).is_contiguous


EXERCISE = draft.exercise()
