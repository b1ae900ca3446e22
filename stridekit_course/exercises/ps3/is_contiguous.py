"""ps3, `isContiguous`: whether a tensor is contiguous, read off its header."""

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from stridekit_course.checks.callee import Case, TensorData
from stridekit_course.checks.cases import tensor_data, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import draw_tensors
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.rules import header_only
from stridekit_course.exercises.ps3 import (
    WAY,
    holds,
    in_words,
    placed,
    repeats,
    row_major_walk,
    tensor_walks,
    walk,
)

draft = Draft("isContiguous", ("t",), place=1, returns=TRUTH, rules=header_only("isContiguous"))


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for header in tensor_walks(hidden, chance):
        size, stride = header
        is_torchs = (sum(size) + sum(stride)) % 3
        yield (tensor_data(placed(header), "torch" if is_torchs else "stridekit"),)


@draft.rule
def _rule(tensor: TensorData) -> str:
    layout = tensor.layout
    if layout.numel == 0:
        return (
            "a size of 0 means that there are no elements. Then nothing can be out of order, so "
            "the answer is True, whatever the strides."
        )
    if layout.ndim == 0:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    return f"{in_words(WAY, row_major_walk(layout.size, layout.stride))}."


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """Smallest first; of the same number of elements those without repeated ones, and torch's."""
    none, count, *rest = weigh_arguments(case)
    return none, count, repeats(case), case.arguments[0].library != "torch", *rest


draft.reference(lambda tensor: tensor.layout.is_contiguous)
draft.picture(lambda case, *_: draw_tensors(("t",), case.arguments))


@draft.mistake("this is what you get if dims of size 1 are not skipped.")
def _ones_not_skipped(tensor: Any) -> Any:
    expected = 1
    for n, stride in zip(reversed(tensor.size()), reversed(tensor.stride()), strict=True):
        if stride != expected:
            return False
        expected *= n
    return True


@draft.mistake(
    "this is what you get if descending strides are taken for contiguous. They must be "
    "exactly the products of the sizes to their right."
)
def _descending(tensor: Any) -> Any:
    stride = list(tensor.stride())
    return stride == sorted(stride, reverse=True)


@draft.mistake("this is what you get if tensors without elements are walked.")
def _empty_not_exempt(tensor: Any) -> Any:
    return holds(row_major_walk(tuple(tensor.size()), tuple(tensor.stride())))


@draft.mistake(
    "this is what you get if the walk goes from the first dim to the last. That is the "
    "test for column-major order."
)
def _from_the_left(tensor: Any) -> Any:
    size, stride = tuple(tensor.size()), tuple(tensor.stride())
    return 0 in size or holds(walk(size, stride, range(len(size))))


@draft.mistake(
    "this is what you get if neighbouring strides are compared, and nobody asks whether "
    "the last one is 1."
)
def _only_the_ratios(tensor: Any) -> Any:
    kept = [(n, step) for n, step in zip(tensor.size(), tensor.stride(), strict=True) if n != 1]
    return 0 in tensor.size() or all(a == b * n for (_, a), (n, b) in pairwise(kept))


@draft.mistake("this is what you get if only the last stride is looked at.")
def _last_is_one(tensor: Any) -> Any:
    return tensor.numel() < 2 or tensor.size()[-1] == 1 or tensor.stride()[-1] == 1


EXERCISE = draft.exercise()
