"""ps4, `can_view`: whether strides can be viewed in another size."""

from math import prod

from stridekit.checks.exercise import Draft
from stridekit.checks.returns import TRUTH
from stridekit.exercises.ps4.views import (
    can_view,
    draw_view_of,
    plain_first,
    seams_of,
    view_arguments,
    view_rule,
)
from stridekit.layouts.layout import Ints, is_contiguous

draft = Draft("can_view", ("size", "stride", "new_size"), place=2, returns=TRUTH)
draft.cases(view_arguments)
draft.reference(can_view)
draft.rule(view_rule)
draft.picture(lambda case, *_: draw_view_of(*case.arguments))
draft.weigh(plain_first)


@draft.mistake(
    "this is what you get if only contiguous tensors can be viewed. A view needs less: "
    "only dims that have to merge must follow one another evenly."
)
def _contiguous_only(size: Ints, stride: Ints, _new_size: Ints) -> bool:
    return is_contiguous(size, stride)


@draft.mistake(
    "this is what you get if only contiguous tensors can be viewed in another size. A "
    "view needs less: only dims that have to merge must follow one another evenly."
)
def _contiguous_or_same(size: Ints, stride: Ints, new_size: Ints) -> bool:
    return size == new_size or is_contiguous(size, stride)


@draft.mistake(
    "this is what you get if all dims have to merge into one. The new size may keep some "
    "of them apart."
)
def _one_run_only(size: Ints, stride: Ints, _new_size: Ints) -> bool:
    return prod(size) == 0 or not seams_of(size, stride)


@draft.mistake(
    "this is what you get if strides of dims of size 1 are looked at. They are never "
    "stepped along: drop those dims first."
)
def _ones_not_dropped(size: Ints, stride: Ints, new_size: Ints) -> bool:
    if prod(size) == 0:
        return True
    ends = {prod(new_size[dim:]) for dim in range(len(new_size) + 1)}
    return all(
        stride[dim - 1] == size[dim] * stride[dim] or prod(size[dim:]) in ends
        for dim in range(1, len(size))
    )


@draft.mistake(
    "this is what you get if the right number of elements is enough. The strides decide."
)
def _always(_size: Ints, _stride: Ints, _new_size: Ints) -> bool:
    return True


EXERCISE = draft.exercise()
