"""ps4, `reshape`: a view where there is one, and a copy where there is none."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram, draw_view
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.view_rule import plan_view
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.cases import tensor_data
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.rules import without
from stridekit_course.checks.tensor_results import no_tensor, other_kind, other_values
from stridekit_course.exercises.ps4 import (
    counting_tensor,
    is_viewable,
    plain_first,
    tensor_view_cases,
    view_rule,
)

draft = Draft(
    "reshape",
    ("t", "new_size"),
    place=5,
    rules=without(
        "reshape has to choose between view and copy itself: that call chooses.",
        *("reshape", "reshape_as", "_reshape_from_tensor", "flatten", "ravel"),
    ),
)


# All odd values in another order, side by side, half of them twice, in more dims; and just one.
_ODD = (
    (Layout((4, 2), (1, 4)), (8,)),
    (Layout((2, 4), (4, 1), 1), (8,)),
    (Layout((2, 4), (0, 2), 1), (4, 2)),
    (Layout((2, 1, 2, 2), (1, 5, 4, 2), 3), (2, 4)),
    (Layout((), (), 1), (1, 1)),
)
_DTYPES = (
    *("int64", "bool", "uint8", "int8", "int16", "int32", "float16", "bfloat16", "float32"),
    *("float64", "complex64", "complex128"),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout, new_size in tensor_view_cases(hidden, chance):
        offset = (sum(layout.stride) + len(new_size)) % 3
        yield tensor_data(replace(layout, storage_offset=offset)), new_size
    # Other values under the same header, and under the same header from another offset on.
    for offset in range(4):
        yield tensor_data(Layout((3, 2), (1, 3), offset)), (6,)
    for (layout, new_size), dtype in product(_ODD if hidden else _ODD[:2], _DTYPES):
        yield tensor_data(layout, dtype=dtype, odd=True), new_size


@draft.complaint
def _complaint(case: Case, outcome: Outcome) -> str | None:
    given, new_size = case.arguments
    problem = no_tensor(outcome, f"a tensor of size {new_size}")
    if problem:
        return problem
    result = outcome.value
    problem = other_kind(result, given.dtype, new_size)
    if problem or given.layout.numel == 0:
        return problem
    if outcome.aliases is None and is_viewable(given.size, given.stride, new_size):
        return "returned a copy; expected a view, on t's own storage."
    if outcome.aliases is not None and not is_viewable(given.size, given.stride, new_size):
        return (
            f"returned stride {result.stride} on t's own storage; expected a copy on new storage, "
            "because no view of this size is possible."
        )
    return other_values(result, given.values())


@draft.expect
def _expect(case: Case) -> tuple[bytes, bool]:
    given, new_size = case.arguments
    return given.values(), is_viewable(given.size, given.stride, new_size)


@draft.is_right
def _is_right(case: Case, expected: tuple[bytes, bool], outcome: Outcome) -> bool:
    given, new_size = case.arguments
    result, (values, is_view) = outcome.value, expected
    return (
        isinstance(result, TensorData)
        and other_kind(result, given.dtype, new_size) is None
        and (not values or (outcome.aliases is not None) == is_view)
        and result.values() == values
    )


@draft.rule
def _rule(tensor: TensorData, new_size: Ints) -> str:
    why = view_rule(tensor.size, tensor.stride, new_size)
    if is_viewable(tensor.size, tensor.stride, new_size):
        return f"a view is possible, so nothing may be copied: {why}"
    return f"no view is possible, so the elements are copied in t's reading order: {why}"


@draft.picture
def _picture(case: Case, outcome: Outcome) -> Diagram | None:
    given, new_size = case.arguments
    layout = as_layout((given.size, given.stride, given.storage_offset))
    if layout is None:
        return None
    plan = plan_view(layout, new_size)
    if not isinstance(plan, Layout):
        return draw_view(counting_tensor(layout), new_size, title="t")
    result = outcome.value
    headers = {"t": layout, "expected": plan}
    if isinstance(result, TensorData) and outcome.aliases == 0:
        headers["yours"] = result.layout
    return draw_headers(
        {name: (each.size, each.stride, each.storage_offset) for name, each in headers.items()}
    )


draft.weigh(plain_first)


@draft.mistake("this is what you get if every tensor is copied.")
def _always_copies(tensor: Any, new_size: Ints) -> Any:
    return tensor.clone().contiguous().view(new_size)


@draft.mistake(
    "this is what you get if every tensor that is not contiguous is copied. Some of them "
    "can be viewed all the same."
)
def _copies_unless_contiguous(tensor: Any, new_size: Ints) -> Any:
    return tensor.contiguous().view(new_size)


@draft.mistake(
    "this is what you get if the values pass through float64 on the way. It cannot hold every "
    "whole number, nor complex ones."
)
def _through_floats(tensor: Any, new_size: Ints) -> Any:
    if is_viewable(tuple(tensor.size()), tensor.stride(), new_size):
        return tensor.view(new_size)
    return tensor.double().contiguous().view(new_size).to(tensor.dtype)


@draft.mistake("this is what you get from view alone. Where it raises, copy first.")
def _only_views(tensor: Any, new_size: Ints) -> Any:
    return tensor.view(new_size)


@draft.mistake("this is what you get if row-major strides are laid over t's storage.")
def _first_positions(tensor: Any, new_size: Ints) -> Any:
    import torch

    stride = torch.empty(new_size).stride()
    return tensor.as_strided(new_size, stride)


@draft.mistake(
    "this is what you get if the view begins at position 0. It begins where t does, at t's "
    "storage_offset."
)
def _offset_lost(tensor: Any, new_size: Ints) -> Any:
    plan = plan_view(Layout(tuple(tensor.size()), tensor.stride()), new_size)
    if isinstance(plan, Layout):
        return tensor.as_strided(new_size, plan.stride, 0)
    return tensor.contiguous().view(new_size)


@draft.mistake(
    "this is what you get if the first dim of t moves fastest. In reading order the last one does."
)
def _columns_first(tensor: Any, new_size: Ints) -> Any:
    if is_viewable(tuple(tensor.size()), tensor.stride(), new_size):
        return tensor.view(new_size)
    return tensor.permute(*range(tensor.dim())[::-1]).contiguous().view(new_size)


@draft.mistake(
    "this is what you get if the elements are copied in storage order. Copy them in the "
    "order of t's indices."
)
def _storage_order(tensor: Any, new_size: Ints) -> Any:
    if is_viewable(tuple(tensor.size()), tensor.stride(), new_size):
        return tensor.view(new_size)
    order = sorted(range(tensor.dim()), key=tensor.stride, reverse=True)
    return tensor.permute(order).contiguous().view(new_size)


EXERCISE = draft.exercise()
