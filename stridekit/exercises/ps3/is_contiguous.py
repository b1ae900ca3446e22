"""ps3, `isContiguous`: whether a tensor is contiguous, read off its header."""

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts, tensor_data
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.pictures import draw_tensors
from stridekit.checks.returns import TRUTH
from stridekit.checks.rules import header_only
from stridekit.checks.seam import TensorData
from stridekit.exercises.ps3.walks import (
    WAY,
    holds,
    in_words,
    near,
    random_walks,
    row_major_walk,
    walk,
)
from stridekit.layouts.layout import Layout

draft = Draft("isContiguous", ("t",), place=1, returns=TRUTH, rules=header_only("isContiguous"))


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in _layouts(hidden, chance):
        yield (tensor_data(layout),)
        yield (tensor_data(layout, "stridekit"),)


def _layouts(hidden: bool, chance: random.Random) -> Iterable[Layout]:
    yield from small_layouts(2, (0, 1, 2, 3, 5))
    if hidden:
        yield from (each for each in small_layouts(3, (0, 1, 2, 6)) if each.ndim == 3)
        for size in ((2, 2, 2), (2, 3, 2), (1, 2, 3), (3, 1, 2), (2, 3, 1), (2, 1, 3, 2)):
            for header in near(size, reversed(range(len(size)))):
                yield Layout(*header)
    yield from random_layouts(300 if hidden else 75, chance)
    for header in random_walks(300 if hidden else 75, chance):
        yield Layout(*header, chance.choice((0, 2)))


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
