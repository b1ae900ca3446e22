"""ps3, `is_dense`: whether elements fill their memory without gap or overlap."""

from typing import Any

from stridekit.layouts.layout import Ints, Layout, is_contiguous
from stridekit.layouts.memory_formats import is_dense, preserved_stride
from stridekit_course.checks.cases import weigh_strides
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises.ps3 import (
    NO_ELEMENTS,
    draw_beside,
    in_words,
    kept,
    walk,
    walk_cases,
    walked,
)

draft = Draft("is_dense", ("size", "stride"), place=5, returns=TRUTH)


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return NO_ELEMENTS
    if not size:
        return "rank 0 has one element: a run of one position, without a gap."
    order = sorted(range(len(size)), key=lambda dim: (stride[dim], size[dim]))
    steps = walk(size, stride, order)
    words = in_words("by ascending stride", steps)
    if all(step.ok is None for step in steps):
        return f"{words}."
    last = steps[-1]
    if last.ok is not False:
        return f"{words}, so there is no gap and no overlap."
    found = "some indices share a position" if last.stride < last.expected else "there is a gap"
    return f"{words}, so {found}."


def _reach(size: Ints, stride: Ints) -> int:
    return 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))


draft.cases(walk_cases)
draft.reference(is_dense)
draft.weigh(weigh_strides)
draft.picture(
    lambda case, *_: draw_beside(
        case.arguments, "dense, in the same order", preserved_stride(*case.arguments)
    )
)


@draft.mistake(
    "this is what you get if gaps are ignored. Dense means that every position between "
    "the first and the last is used."
)
def _without_overlap(size: Ints, stride: Ints) -> Any:
    expected = 1
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1 and step < expected:
            return 0 in size
        expected = max(expected, n * step)
    return True


@draft.mistake(
    "this is what you get if the reach is compared with the number of elements. An "
    "overlap and a gap can make up for each other."
)
def _fills_its_reach(size: Ints, stride: Ints) -> Any:
    numel = Layout(size, stride).numel
    return numel == 0 or _reach(size, stride) == numel


draft.mistake(
    "this is what you get if only row-major order is accepted.",
    is_contiguous,
)


@draft.mistake(
    "this is what you get if only row-major and column-major order are accepted. Any "
    "order of the dims is dense, if there is no gap."
)
def _c_or_f(size: Ints, stride: Ints) -> Any:
    return is_contiguous(size, stride) or is_contiguous(size[::-1], stride[::-1])


@draft.mistake(
    "this is what you get if overlaps are ignored. Dense means that each position is used by one "
    "index only."
)
def _without_gaps(size: Ints, stride: Ints) -> Any:
    expected = 1
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1 and step > expected:
            return 0 in size
        expected += (n - 1) * step
    return True


_BY_SIZE = (
    "this is what you get if the dims are sorted by their sizes. Which dim moves faster is told "
    "by the strides."
)


@draft.mistake(_BY_SIZE)
def _by_size(size: Ints, stride: Ints) -> Any:
    return 0 in size or walked(size, stride, sorted(kept(size), key=size.__getitem__))


@draft.mistake(_BY_SIZE)
def _by_size_and_stride(size: Ints, stride: Ints) -> Any:
    order = sorted(kept(size), key=lambda dim: (size[dim], stride[dim]))
    return 0 in size or walked(size, stride, order)


_ONES = "this is what you get if dims of size 1 are not skipped."


@draft.mistake(_ONES)
def _with_ones(size: Ints, stride: Ints) -> Any:
    return 0 in size or walked(size, stride, sorted(range(len(size)), key=stride.__getitem__))


@draft.mistake(_ONES)
def _with_ones_first(size: Ints, stride: Ints) -> Any:
    order = sorted(range(len(size)), key=lambda dim: (stride[dim], size[dim]))
    return 0 in size or walked(size, stride, order)


@draft.mistake("this is what you get if tensors without elements are walked.")
def _dense_with_none(size: Ints, stride: Ints) -> Any:
    return walked(size, stride, sorted(kept(size), key=stride.__getitem__))


EXERCISE = draft.exercise()
