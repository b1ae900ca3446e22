"""Assignment ps3: contiguity."""

import random
import struct
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.exercises.engine import Exercise, Mistake
from stridekit.exercises.seam import Outcome, TensorData
from stridekit.explain import WalkStep, contiguity
from stridekit.layout import Layout, contiguous_stride

SEED = 20261120
_HEADER = ("size", "shape", "stride", "dim", "ndim", "numel")


def tensor_data(library: str, layout: Layout) -> TensorData:
    """An int64 tensor of that layout over the least storage, holding 0, 1, 2, ..."""
    reach = layout.reach
    length = layout.storage_offset if reach is None else reach[1] + 1
    storage = struct.pack(f"={length}q", *range(length))
    return TensorData(library, "int64", layout.size, layout.stride, layout.storage_offset, storage)


def small_layouts(rank: int, strides: tuple[int, ...]) -> Iterator[Layout]:
    """Every layout of up to so many dims, sizes 0 to 3, and those strides."""
    for ndim in range(rank + 1):
        for size in product(range(4), repeat=ndim):
            for stride in product(strides, repeat=ndim):
                yield Layout(size, stride)


def random_layouts(count: int, seed: int) -> Iterator[Layout]:
    """Larger layouts: permuted, padded, sliced and expanded row-major ones, with offsets."""
    chance = random.Random(seed)
    for _ in range(count):
        size = [chance.choice((0, 1, 1, 2, 3, 4, 5)) for _ in range(chance.randint(2, 5))]
        stride = list(contiguous_stride(tuple(size)))
        if chance.random() < 0.5:
            dim = chance.randrange(len(size))
            stride[dim] = chance.choice((0, 1, 7, stride[dim] * 2, stride[dim] + 1))
        if chance.random() < 0.4:
            order = chance.sample(range(len(size)), len(size))
            size, stride = [size[dim] for dim in order], [stride[dim] for dim in order]
        if prod(size) <= 600:
            yield Layout(tuple(size), tuple(stride), chance.choice((0, 0, 3)))


def _by_size(layout: Layout) -> tuple[object, ...]:
    # A tensor without elements is small, but a strange thing to meet first.
    n = layout.numel
    return (n == 0, n, layout.ndim, sum(layout.size), sum(layout.stride), layout.storage_offset)


def _layouts(hidden: bool, rank_strides: tuple[int, ...]) -> list[Layout]:
    layouts = [*small_layouts(2, (0, 1, 2, 3, 5))]
    if hidden:
        layouts += [layout for layout in small_layouts(3, rank_strides) if layout.ndim == 3]
    layouts += random_layouts(600 if hidden else 150, SEED + hidden)
    return sorted(dict.fromkeys(layouts), key=_by_size)


def _is_contiguous_cases(hidden: bool) -> list[TensorData]:
    layouts = _layouts(hidden, (0, 1, 2, 3, 6))
    return [
        tensor_data(library, layout) for layout in layouts for library in ("torch", "stridekit")
    ]


def _is_contiguous_complaint(case: TensorData, outcome: Outcome) -> str | None:
    expected = case.layout.is_contiguous
    if outcome.type != "bool":
        return (
            f"returned {outcome.value!r}, of type {outcome.type}. Return True or False, as a bool; "
            f"expected {expected}."
        )
    if outcome.value is not expected:
        return f"returned {outcome.value}; expected {expected}."
    return None


def _contiguity_rule(case: TensorData) -> str:
    layout = case.layout
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


IS_CONTIGUOUS = Exercise(
    name="isContiguous",
    cases=_is_contiguous_cases,
    complaint=_is_contiguous_complaint,
    rule=_contiguity_rule,
    may_call=lambda name: name.split(".")[-1] in _HEADER,
    forbidden="isContiguous may read only the header: size, shape, stride, dim, ndim and numel.",
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


def _contiguous_cases(hidden: bool) -> list[TensorData]:
    return [tensor_data("torch", layout) for layout in _layouts(hidden, (0, 1, 2, 6))]


def _contiguous_complaint(case: TensorData, outcome: Outcome) -> str | None:
    if outcome.tensor is None:
        return f"returned {outcome.value!r}, of type {outcome.type}. Return a torch tensor."
    result = outcome.tensor
    if case.layout.is_contiguous:
        if outcome.is_argument:
            return None
        return "returned another tensor; expected t itself, which is contiguous already."
    if result.dtype != case.dtype:
        return f"returned dtype {result.dtype}; expected {case.dtype}."
    if result.size != case.size:
        return f"returned size {result.size}; expected {case.size}."
    if outcome.shares_storage:
        return (
            f"returned stride {result.stride} on t's own storage; expected a copy in row-major "
            "order on new storage."
        )
    if not result.layout.is_contiguous:
        return (
            f"returned stride {result.stride}, which is not contiguous; expected "
            f"{contiguous_stride(case.size)}."
        )
    if result.values() != case.values():
        count = prod(case.size)
        theirs = struct.unpack(f"={count}q", result.values())
        expected = struct.unpack(f"={count}q", case.values())
        where = next(i for i, (a, b) in enumerate(zip(theirs, expected, strict=True)) if a != b)
        return (
            f"returned {theirs[where]} as element number {where} in reading order; "
            f"expected {expected[where]}."
        )
    return None


def _contiguous_rule(case: TensorData) -> str:
    if case.layout.is_contiguous:
        return "what is contiguous already is returned as it is: the very same object."
    return (
        "the copy holds t's elements in t's reading order, one position after another: "
        f"stride {contiguous_stride(case.size)}."
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


_ANSWERS_ALONE = ("contiguous", "clone", "reshape", "reshape_as", "flatten", "ravel")

CONTIGUOUS = Exercise(
    name="contiguous",
    cases=_contiguous_cases,
    complaint=_contiguous_complaint,
    rule=_contiguous_rule,
    may_call=lambda name: name.split(".")[-1] not in _ANSWERS_ALONE,
    forbidden="contiguous has to do its own copying: that call would do the exercise.",
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
