"""ps4, `can_view`: whether strides can be viewed in another size."""

from collections.abc import Iterable
from itertools import pairwise
from math import prod

from stridekit.layouts.layout import Ints, is_contiguous
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises.ps4 import (
    draw_view_of,
    is_viewable,
    kept_dims,
    plain_first,
    seams_of,
    view_arguments,
    view_rule,
)

draft = Draft("can_view", ("size", "stride", "new_size"), place=2, returns=TRUTH)
draft.cases(view_arguments)
draft.reference(is_viewable)
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
    seams = {d for d in range(1, len(size)) if stride[d - 1] != size[d] * stride[d]}
    return _keeps_apart(size, seams, new_size)


@draft.mistake(
    "this is what you get if the size of the left dim is used. The left stride has to jump over "
    "the right dim, so the right size counts."
)
def _own_size(size: Ints, stride: Ints, new_size: Ints) -> bool:
    pairs = pairwise(kept_dims(size))
    seams = {right for left, right in pairs if stride[left] != size[left] * stride[right]}
    return _keeps_apart(size, seams, new_size)


def _keeps_apart(size: Ints, seams: Iterable[int], new_size: Ints) -> bool:
    """Whether the new size has a boundary before each of those dims."""
    ends = {prod(new_size[dim:]) for dim in range(len(new_size) + 1)}
    return 0 in size or all(prod(size[dim:]) in ends for dim in seams)


@draft.mistake(
    "this is what you get if the right number of elements is enough. The strides decide."
)
def _always(_size: Ints, _stride: Ints, _new_size: Ints) -> bool:
    return True


EXERCISE = draft.exercise()
