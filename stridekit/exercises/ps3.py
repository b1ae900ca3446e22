"""Assignment ps3: contiguity."""

import random
import struct
from collections.abc import Iterable
from math import prod
from typing import Any

from stridekit.dtypes import as_dtype
from stridekit.exercises.cases import random_layouts, small_layouts, tensor_data
from stridekit.exercises.exercise import (
    Arguments,
    Exercise,
    Mistake,
    plain_exercise,
    raised,
    weigh_arguments,
)
from stridekit.exercises.pictures import draw_tensors
from stridekit.exercises.returns import TRUTH, shown
from stridekit.exercises.rules import header_only, without
from stridekit.exercises.seam import Case, Outcome, TensorData
from stridekit.explain import WalkStep, contiguity
from stridekit.layout import Layout, contiguous_stride


def _layouts(hidden: bool, chance: random.Random, strides: tuple[int, ...]) -> Iterable[Layout]:
    yield from small_layouts(2, (0, 1, 2, 3, 5))
    if hidden:
        yield from (layout for layout in small_layouts(3, strides) if layout.ndim == 3)
    yield from random_layouts(600 if hidden else 150, chance)


def _is_contiguous_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in _layouts(hidden, chance, (0, 1, 2, 6)):
        yield (tensor_data(layout),)
        yield (tensor_data(layout, "stridekit"),)


def _contiguity_rule(tensor: TensorData) -> str:
    layout = tensor.layout
    if layout.numel == 0:
        return "a tensor without elements is contiguous: there is nothing to be out of order."
    verdict = contiguity(layout)
    steps = [step for step in verdict.steps if isinstance(step, WalkStep)]
    skipped = any(step.ok is None and step.stride != step.expected for step in steps)
    if verdict.holds and skipped:
        return "a dim of size 1 is never stepped along, so its stride does not matter."
    answer = verdict.answer.split(": ", 1)[1].removesuffix(".")
    return f"walk the dims from the right: {answer}."


def _ones_not_skipped(tensor: Any) -> Any:
    expected = 1
    for n, stride in zip(reversed(tensor.size()), reversed(tensor.stride()), strict=True):
        if stride != expected:
            return False
        expected *= n
    return True


def _descending(tensor: Any) -> Any:
    stride = list(tensor.stride())
    return stride == sorted(stride, reverse=True)


def _empty_not_exempt(tensor: Any) -> Any:
    expected = 1
    for n, stride in zip(reversed(tensor.size()), reversed(tensor.stride()), strict=True):
        if n != 1:
            if stride != expected:
                return False
            expected *= n
    return True


IS_CONTIGUOUS = plain_exercise(
    "isContiguous",
    ("t",),
    cases=_is_contiguous_cases,
    reference=lambda tensor: tensor.layout.is_contiguous,
    returns=TRUTH,
    rule=_contiguity_rule,
    rules=header_only("isContiguous"),
    picture=lambda case, *_: draw_tensors(("t",), case.arguments),
    mistakes=(
        Mistake(_ones_not_skipped, "this is what you get if dims of size 1 are not skipped."),
        Mistake(
            _descending,
            "this is what you get if descending strides are taken for contiguous. They must be "
            "exactly the products of the sizes to their right.",
        ),
        Mistake(_empty_not_exempt, "this is what you get if tensors without elements are walked."),
    ),
)


def _contiguous_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in _layouts(hidden, chance, (0, 1, 2, 6)):
        yield (tensor_data(layout),)


def _contiguous_complaint(case: Case, outcome: Outcome) -> str | None:
    given: TensorData = case.arguments[0]
    result = outcome.value
    if outcome.kind == "raised":
        return f"{raised(outcome)}; expected a tensor."
    if not isinstance(result, TensorData):
        return f"returned {shown(result)}. Return a torch tensor."
    if given.layout.is_contiguous:
        if outcome.is_argument == 0:
            return None
        return "returned another tensor; expected t itself, which is contiguous already."
    if result.dtype != given.dtype:
        return f"returned dtype {result.dtype}; expected {given.dtype}."
    if result.size != given.size:
        return f"returned size {result.size}; expected {given.size}."
    if outcome.aliases is not None:
        return (
            f"returned stride {result.stride} on t's own storage; expected a copy in row-major "
            "order on new storage."
        )
    if not result.layout.is_contiguous:
        return (
            f"returned stride {result.stride}, which is not contiguous; expected "
            f"{contiguous_stride(given.size)}."
        )
    return other_values(given, result)


def other_values(given: TensorData, result: TensorData) -> str | None:
    """Which element is not what it has to be, where two tensors should hold the same."""
    if result.values() == given.values():
        return None
    code = as_dtype(given.dtype).code
    count = prod(given.size)
    theirs = struct.unpack(f"={count}{code}", result.values())
    expected = struct.unpack(f"={count}{code}", given.values())
    where = next(i for i, (a, b) in enumerate(zip(theirs, expected, strict=True)) if a != b)
    return (
        f"returned {theirs[where]} as element number {where} in reading order; "
        f"expected {expected[where]}."
    )


def _contiguous_rule(tensor: TensorData) -> str:
    if tensor.layout.is_contiguous:
        return "what is contiguous already is returned as it is: the very same object."
    return (
        "the copy holds t's elements in t's reading order, one position after another: "
        f"stride {contiguous_stride(tensor.size)}."
    )


def _copies_storage(tensor: Any) -> Any:
    import torch

    if tensor.is_contiguous():
        return tensor
    out = torch.empty(tuple(tensor.size()), dtype=tensor.dtype)
    flat = tensor.as_strided((tensor.numel(),), (1,), 0)
    out.view(-1)[:] = flat
    return out


def _always_copies(tensor: Any) -> Any:
    import torch

    out = torch.empty(tuple(tensor.size()), dtype=tensor.dtype)
    out.copy_(tensor)
    return out


def _never_copies(tensor: Any) -> Any:
    return tensor


CONTIGUOUS = Exercise(
    name="contiguous",
    parameters=("t",),
    cases=_contiguous_cases,
    complaint=_contiguous_complaint,
    rule=_contiguous_rule,
    rules=without(
        "contiguous has to do its own copying: that call would do the exercise.",
        *("contiguous", "clone", "reshape", "reshape_as", "flatten", "ravel"),
        *("ascontiguousarray",),
    ),
    picture=lambda case, *_: draw_tensors(("t",), case.arguments),
    weigh=weigh_arguments,
    mistakes=(
        Mistake(
            _copies_storage,
            "this is what you get if the elements are copied in storage order. Copy them in the "
            "order of t's indices.",
        ),
        Mistake(_always_copies, "this is what you get if a contiguous tensor is copied too."),
        Mistake(_never_copies, "this is what you get if nothing is ever copied."),
    ),
)

EXERCISES = (IS_CONTIGUOUS, CONTIGUOUS)
