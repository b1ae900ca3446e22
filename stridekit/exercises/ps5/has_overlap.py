"""ps5, `has_overlap`: whether two indices share a position."""

from math import prod
from typing import Any

from stridekit.checks.exercise import Draft
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import TRUTH
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps5 import overlap
from stridekit.exercises.ps5.overlap_layouts import overlap_cases
from stridekit.layouts.layout import Ints, Layout

draft = Draft("has_overlap", ("size", "stride"), place=5, returns=TRUTH)


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    """The layout of a case, over the storage that it needs."""
    size, stride = case.arguments[:2]
    return draw_headers({"given": (size, stride, 0)})


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    if overlap.overlaps(size, stride):
        meeting = overlap.meeting(size, stride)
        return f"it overlaps if two indices share a position, and {meeting}."
    return overlap.apart(size, stride)


_ZERO_ON_ONE = (
    "this is what you get if every stride 0 counts. On a dim of size 1 it repeats nothing."
)
draft.cases(overlap_cases)
draft.reference(overlap.overlaps)
draft.mistake(
    "this is what you get if only stride 0 is taken for overlap. Equal strides, and "
    "others too, can lead two indices to one position.",
    overlap.only_zero,
)


@draft.mistake(_ZERO_ON_ONE)
def _any_zero_with_elements(size: Ints, stride: Ints) -> Any:
    return prod(size) > 0 and 0 in stride


@draft.mistake(_ZERO_ON_ONE)
def _any_zero(_size: Ints, stride: Ints) -> Any:
    return 0 in stride


@draft.mistake("this is what you get if a stride 0 counts in a tensor without elements.")
def _only_zero_even_empty(size: Ints, stride: Ints) -> Any:
    return overlap.zero_repeats(size, stride)


for _hint, _half_answer in overlap.HALF_ANSWERS:
    draft.mistake(_hint, _half_answer)


@draft.mistake("this is what you get if all that is not contiguous is taken for overlap.")
def _has_gap_or_order(size: Ints, stride: Ints) -> Any:
    return not Layout(size, stride).is_contiguous


EXERCISE = draft.exercise()
