"""ps5, `inplace_verdict`: what an in-place operation does where elements overlap."""

from collections.abc import Callable
from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw_change
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import Word
from stridekit_course.exercises import ps5
from stridekit_course.exercises.ps5 import overlap_cases

draft = Draft(
    "inplace_verdict", ("size", "stride"), place=7, returns=Word(("safe", "refused", "silent"))
)


@draft.reference
def _reference(size: Ints, stride: Ints) -> str:
    if prod(size) and ps5.zero_repeats(size, stride):
        return "refused"
    return "silent" if ps5.overlaps(size, stride) else "safe"


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    verdict = _reference(size, stride)
    if 0 in size:
        return "without elements nothing is written, and torch has nothing to refuse."
    if verdict == "safe":
        return f"nothing is written twice: {ps5.apart(size, stride)}"
    if verdict == "refused":
        dim = next(d for d, n in enumerate(size) if n > 1 and stride[d] == 0)
        return (
            "torch refuses to write where a dim of size above 1 has stride 0, and dim "
            f"{dim} has size {size[dim]} and stride 0."
        )
    return (
        f"{ps5.meeting(size, stride)}, which is written twice; torch looks for nothing but "
        "stride 0 on a dim of size above 1, and finds none."
    )


@draft.picture
def _picture(case: Case, expected: Plain, _: Plain) -> Diagram | None:
    size, stride = case.arguments
    given = draw_headers({"given": (size, stride, 0)})
    if expected == "refused" or given is None or 0 in size:
        return given
    reach = Layout(size, stride).reach
    assert reach is not None
    tensor = arange(reach[1] + 1).as_strided(size, stride)
    return draw_change({"given": tensor}, lambda given: given.add_(1), title="add_(1)")


_ONES_REFUSED = (
    "this is what you get if every stride 0 is refused. On a dim of size 1 it repeats nothing, "
    "and torch lets it pass."
)
draft.cases(overlap_cases)


@draft.mistake(
    "this is what you get if torch is thought to refuse every overlap. It only looks for stride 0."
)
def _always_refused(size: Ints, stride: Ints) -> Any:
    return "refused" if ps5.overlaps(size, stride) else "safe"


@draft.mistake("this is what you get if all that torch lets pass is taken for safe.")
def _never_silent(size: Ints, stride: Ints) -> Any:
    return "refused" if ps5.only_zero(size, stride) else "safe"


@draft.mistake(_ONES_REFUSED)
def _ones_refused(size: Ints, stride: Ints) -> Any:
    if prod(size) and 0 in stride:
        return "refused"
    return "silent" if ps5.overlaps(size, stride) else "safe"


@draft.mistake(_ONES_REFUSED)
def _ones_and_empty_refused(size: Ints, stride: Ints) -> Any:
    if 0 in stride:
        return "refused"
    return "silent" if ps5.overlaps(size, stride) else "safe"


@draft.mistake(_ONES_REFUSED)
def _ones_refused_in_overlap(size: Ints, stride: Ints) -> Any:
    if not ps5.overlaps(size, stride):
        return "safe"
    return "refused" if 0 in stride else "silent"


@draft.mistake("this is what you get if torch is thought to refuse a tensor without elements.")
def _empty_refused(size: Ints, stride: Ints) -> Any:
    if ps5.zero_repeats(size, stride):
        return "refused"
    return "silent" if ps5.overlaps(size, stride) else "safe"


@draft.mistake("this is what you get if torch is thought to refuse nothing.")
def _never_refused(size: Ints, stride: Ints) -> Any:
    return "silent" if ps5.overlaps(size, stride) else "safe"


@draft.mistake(
    "this is what you get if only the first stride of 0 is looked at. It may be on a dim of size "
    "1, and another one not."
)
def _first_zero_only(size: Ints, stride: Ints) -> Any:
    if not ps5.overlaps(size, stride):
        return "safe"
    return "refused" if 0 in stride and size[stride.index(0)] > 1 else "silent"


@draft.mistake(
    "this is what you get if torch is thought to refuse only where all elements lie at one "
    "position. One dim that stride 0 repeats is enough."
)
def _all_at_one_position(size: Ints, stride: Ints) -> Any:
    if not ps5.overlaps(size, stride):
        return "safe"
    return "refused" if len(ps5.distinct_positions(size, stride)) == 1 else "silent"


def _verdict_by(half_answer: Callable[[Ints, Ints], Any]) -> Callable[[Ints, Ints], Any]:
    """The verdict of somebody who knows what torch refuses, and has half a test for overlap."""

    def verdict(size: Ints, stride: Ints) -> Any:
        if ps5.only_zero(size, stride):
            return "refused"
        return "silent" if half_answer(size, stride) else "safe"

    return verdict


for _hint, _half_answer in ps5.HALF_ANSWERS:
    draft.mistake(_hint, _verdict_by(_half_answer))
EXERCISE = draft.exercise()
