"""ps5, `has_overlap`: whether two indices share a position."""

from itertools import combinations
from math import prod
from typing import Any

from stridekit.checks.exercise import Draft
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import TRUTH
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps5 import overlap
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
draft.cases(overlap.overlap_cases)
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


@draft.mistake(
    "this is what you get if only stride 0 and equal strides are looked for. 2 + 2 and "
    "4 meet as well."
)
def _equal_strides(size: Ints, stride: Ints) -> Any:
    steps = [step for n, step in zip(size, stride, strict=True) if n > 1]
    return prod(size) > 0 and (0 in steps or len(set(steps)) < len(steps))


@draft.mistake(
    "this is what you get if elements are only counted against positions. Where there "
    "are gaps, two can share a position although there would be room."
)
def _too_many(size: Ints, stride: Ints) -> Any:
    reach = Layout(size, stride).reach
    return reach is not None and prod(size) > reach[1] + 1


draft.mistake(
    "this is what you get if every stride has to clear all the smaller dims. That is "
    "enough to be free of overlap, but not needed: strides can interleave.",
    overlap.not_nested,
)


@draft.mistake(
    "this is what you get if dims are compared two at a time. Three can meet where no "
    "two do: strides 1, 2 and 3."
)
def _pairs_of_dims(size: Ints, stride: Ints) -> Any:
    if 0 in size:
        return False
    pairs = combinations(zip(size, stride, strict=True), 2)
    return overlap.zero_repeats(size, stride) or any(
        overlap.overlaps((n, other_n), (step, other_step))
        for (n, step), (other_n, other_step) in pairs
    )


@draft.mistake("this is what you get if all that is not contiguous is taken for overlap.")
def _has_gap_or_order(size: Ints, stride: Ints) -> Any:
    return not Layout(size, stride).is_contiguous


EXERCISE = draft.exercise()
