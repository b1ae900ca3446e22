"""ps4, `view_stride`: the stride of a view, or None."""

from math import prod
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.diagrams.scenes.captions import count
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, is_contiguous
from stridekit.layouts.view_rule import chunks, plan_view
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import INTS, Maybe
from stridekit_course.exercises.ps4 import (
    draw_view_of,
    is_viewable,
    plain_first,
    view_arguments,
    view_rule,
)

draft = Draft("view_stride", ("size", "stride", "new_size"), place=3, returns=Maybe(INTS))


@draft.reference
def _reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_view(Layout(size, stride), new_size)
    return plan.stride if isinstance(plan, Layout) else None


@draft.agrees
def _strides_agree(arguments: Arguments, expected: Plain, value: Plain) -> bool:
    _, _, new_size = arguments
    if expected is None or value is None:
        return value is expected
    if len(value) != len(new_size):
        return False
    free = prod(new_size) == 0
    pairs = zip(new_size, expected, value, strict=True)
    return all(free or n == 1 or a == b for n, a, b in pairs)


@draft.rule
def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    wanted = _reference(size, stride, new_size)
    if wanted is None:
        return view_rule(size, stride, new_size)
    free = f"any tuple of {count(len(new_size), 'int')}" if new_size else "the empty tuple"
    if prod(size) == 0:
        return (
            f"what holds no elements can always be viewed, and no stride is used: {free} will do."
        )
    runs = [chunk for chunk in chunks(Layout(size, stride), new_size) if chunk.numel > 1]
    steps = []
    for run in runs:
        inner = 1
        for dim in reversed(run.new_dims or ()):
            if new_size[dim] > 1:
                steps.append(f"stride[{dim}] = {inner} × {run.stride}")
            inner *= new_size[dim]
    if not steps:
        return f"a single element is never stepped away from: {free} will do."
    return (
        "within one even run of elements, a new dim's stride is the number of elements to its "
        f"right in that run, times the step between them: {', '.join(steps)}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    size, stride, new_size = case.arguments
    if expected is None:
        return draw_view_of(size, stride, new_size)
    return draw_headers(
        {
            "given": (size, stride, 0),
            "expected": (new_size, expected, 0),
            "yours": (new_size, yours, 0),
        }
    )


draft.cases(view_arguments)
draft.weigh(plain_first)


@draft.mistake(
    "this is what you get if every view gets row-major strides. Where the old elements lie "
    "further apart, so do the new ones."
)
def _c_always(_size: Ints, _stride: Ints, new_size: Ints) -> Any:
    return contiguous_stride(new_size)


@draft.mistake(
    "this is what you get if only contiguous tensors can be viewed. A view needs less: "
    "only dims that have to merge must follow one another evenly."
)
def _c_where_contiguous(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return contiguous_stride(new_size) if is_contiguous(size, stride) else None


@draft.mistake(
    "this is what you get if the step of the last dim is used everywhere. Each run of "
    "dims that merge has its own."
)
def _last_step_everywhere(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if prod(size) == 0 or not is_viewable(size, stride, new_size):
        return _reference(size, stride, new_size)
    step = next((s for n, s in zip(size[::-1], stride[::-1], strict=True) if n != 1), 1)
    return tuple(step * inner for inner in contiguous_stride(new_size))


@draft.mistake(
    "this is what you get if each stride leads to the right neighbour of the first element, and "
    "nobody asks whether they lead to all the others. First see whether a view is possible."
)
def _unchecked(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if prod(size) == 0:
        return _reference(size, stride, new_size)
    steps = []
    for number in contiguous_stride(new_size):
        position, left = 0, number
        for n, step in zip(size[::-1], stride[::-1], strict=True):
            left, index = divmod(left, n)
            position += index * step
        steps.append(position)
    return tuple(steps)


@draft.mistake("this is what you get if an impossible view gets row-major strides. It has none.")
def _never_none(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if is_viewable(size, stride, new_size):
        return _reference(size, stride, new_size)
    return contiguous_stride(new_size)


EXERCISE = draft.exercise()
