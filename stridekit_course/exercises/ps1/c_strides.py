"""ps1, `c_strides`: the row-major stride of a size."""

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

draft = Draft("c_strides", ("size",), place=1, returns=INTS)


@draft.rule
def _rule(size: Ints) -> str:
    return stride_rule(size, "right", [size[dim + 1 :] for dim in range(len(size))])


_BYTES = "this is what you get in bytes, 8 to an element. Here strides count elements."
draft.cases(size_cases)
draft.reference(contiguous_stride)
draft.picture(draw_stride)
draft.weigh(weigh_size)
draft.mistake(
    "this is column-major order: the last dim has to have stride 1.",
    column_major,
)


@draft.mistake("this is what you get if a size of 0 is multiplied as 0. In torch it counts as 1.")
def _zero_in_products(size: Ints) -> Any:
    return tuple(prod(size[dim + 1 :]) for dim in range(len(size)))


@draft.mistake(
    "this is what you get if a dim's own size is multiplied in. Only the sizes to its "
    "right count, and to the right of the last dim there is none."
)
def _own_size_too(size: Ints) -> Any:
    return tuple(prod(max(n, 1) for n in size[dim:]) for dim in range(len(size)))


@draft.mistake(
    "this is what you get if the size next to a dim alone is its stride. A step jumps "
    "over everything to its right: multiply all of those sizes."
)
def _neighbour_alone(size: Ints) -> Any:
    return tuple(max(n, 1) for n in (*size[1:], 1)) if size else ()


@draft.mistake(_BYTES)
def _in_bytes(size: Ints) -> Any:
    return tuple(8 * step for step in contiguous_stride(size))


@draft.mistake(
    "this is what you get if a product of 0 counts as 1. Each 0 counts as 1 by itself, and the "
    "sizes beside it still count."
)
def _product_of_0_as_one(size: Ints) -> Any:
    return tuple(max(prod(size[dim + 1 :]), 1) for dim in range(len(size)))


EXERCISE = draft.exercise()
