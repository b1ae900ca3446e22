"""ps3, `is_f_contiguous`: whether strides are column-major."""

from typing import Any

from stridekit.layouts.layout import Ints, is_contiguous
from stridekit_course.checks.cases import weigh_strides
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises.ps3 import (
    NO_ELEMENTS,
    draw_beside,
    forwards,
    in_words,
    kept,
    packed,
    walk,
    walk_cases,
    walked,
)

draft = Draft("is_f_contiguous", ("size", "stride"), place=3, returns=TRUTH)


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return NO_ELEMENTS
    if not size:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    return f"{in_words('from the first to the last', walk(size, stride, range(len(size))))}."


draft.cases(walk_cases)
draft.reference(lambda size, stride: is_contiguous(size[::-1], stride[::-1]))
draft.weigh(weigh_strides)
draft.picture(
    lambda case, *_: draw_beside(
        case.arguments, "column-major", packed(case.arguments[0], forwards(case.arguments[0]))
    )
)


@draft.mistake(
    "this is what you get if column-major is taken for the opposite of row-major. A "
    "tensor can be both, such as a vector, and it can be neither."
)
def _not_c(size: Ints, stride: Ints) -> Any:
    return not is_contiguous(size, stride)


draft.mistake(
    "this is what you get if the walk goes from the last dim to the first. That is the "
    "test for row-major order.",
    is_contiguous,
)


@draft.mistake("this is what you get if dims of size 1 are not skipped.")
def _f_with_ones(size: Ints, stride: Ints) -> Any:
    return 0 in size or walked(size, stride, range(len(size)))


@draft.mistake("this is what you get if tensors without elements are walked.")
def _f_with_none(size: Ints, stride: Ints) -> Any:
    return walked(size, stride, kept(size))


@draft.mistake(
    "this is what you get if ascending strides are taken for column-major. They must be "
    "exactly the products of the sizes to their left."
)
def _ascending(size: Ints, stride: Ints) -> Any:
    return 0 in size or list(stride) == sorted(stride)


@draft.mistake("this is what you get if only the first stride is looked at.")
def _first_is_one(size: Ints, stride: Ints) -> Any:
    return not size or 0 in size or stride[0] == 1


EXERCISE = draft.exercise()
