"""ps1, `f_strides`: the column-major stride of a size."""

from math import prod
from typing import Any

from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import INTS
from stridekit_course.exercises.ps1 import (
    column_major,
    draw_stride,
    size_cases,
    stride_rule,
    weigh_size,
)

draft = Draft("f_strides", ("size",), place=2, returns=INTS)


@draft.rule
def _rule(size: Ints) -> str:
    return stride_rule(size, "left", [size[:dim] for dim in range(len(size))])


draft.cases(size_cases)
draft.reference(column_major)
draft.picture(draw_stride)
draft.weigh(weigh_size)
draft.mistake(
    "this is row-major order: here the first dim has to have stride 1.",
    contiguous_stride,
)


@draft.mistake(
    "this is the row-major stride of the reversed size. The stride of dim 0 stands last in it."
)
def _c_of_reversed(size: Ints) -> Any:
    return contiguous_stride(size[::-1])


@draft.mistake(
    "this is the row-major stride, written backwards. Its numbers are products of the "
    "sizes to the right; here those to the left count."
)
def _c_reversed(size: Ints) -> Any:
    return contiguous_stride(size)[::-1]


@draft.mistake("this is what you get if a size of 0 is multiplied as 0. In torch it counts as 1.")
def _zero_in_left_products(size: Ints) -> Any:
    return tuple(prod(size[:dim]) for dim in range(len(size)))


@draft.mistake(
    "this is what you get if a dim's own size is multiplied in. Only the sizes to its "
    "left count, and to the left of dim 0 there is none."
)
def _left_own_size_too(size: Ints) -> Any:
    return tuple(prod(max(n, 1) for n in size[: dim + 1]) for dim in range(len(size)))


@draft.mistake(
    "this is what you get if the size next to a dim alone is its stride. A step jumps "
    "over everything to its left: multiply all of those sizes."
)
def _left_neighbour_alone(size: Ints) -> Any:
    return tuple(max(n, 1) for n in (1, *size[:-1])) if size else ()


@draft.mistake(
    "this is what you get if a product of 0 counts as 1. Each 0 counts as 1 by itself, and the "
    "sizes beside it still count."
)
def _left_product_of_0_as_one(size: Ints) -> Any:
    return tuple(max(prod(size[:dim]), 1) for dim in range(len(size)))


EXERCISE = draft.exercise()
