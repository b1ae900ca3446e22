"""ps3, `to_channels_last`: an image in channels_last order."""

import random
from collections.abc import Callable, Iterable
from itertools import permutations, product
from math import prod
from typing import Any

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.memory_formats import channels_last, follows, stride_of
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.cases import tensor_data
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.rules import without
from stridekit_course.checks.tensor_results import (
    ADDED_TO_ZEROS,
    CONVERSIONS,
    DTYPES,
    OF_A_GUESSED_DTYPE,
    OF_THE_USUAL_DTYPE,
    THROUGH_FLOATS,
    added_to_zeros,
    copied,
    copies,
    draw_copy,
    imitates,
    is_copy,
    never_copies,
    of_a_guessed_dtype,
    of_the_usual_dtype,
    other_tensor,
    other_values,
    through_floats,
)
from stridekit_course.exercises.ps3 import (
    CHANNELS_LAST,
    SizeAndStride,
    chance_walks,
    in_any_order,
    near,
    packed,
    placed,
    small,
    weigh_image,
)

draft = Draft(
    "to_channels_last",
    ("t",),
    place=7,
    rules=without(
        "to_channels_last has to order the memory itself: that call takes a memory_format, and "
        "would do the exercise.",
        *("contiguous", "clone", *CONVERSIONS),
    ),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for header in _images(hidden, chance):
        yield (tensor_data(placed(header)),)
    # Other values under the same header.
    for offset in (1, 2, 3):
        yield (tensor_data(Layout((1, 2, 2, 2), (8, 4, 2, 1), offset)),)
    for dtype in ("int64", *DTYPES):
        for layout in _ODD if hidden else _ODD[:2]:
            yield (tensor_data(layout, dtype=dtype, odd=True),)


# All eight odd values in another order; in the right one; half of them, each twice.
_ODD = (
    Layout((1, 2, 2, 2), (8, 4, 2, 1)),
    Layout((2, 1, 1, 4), (0, 5, 5, 2), 1),
    Layout((1, 2, 2, 2), (8, 1, 4, 2)),
)


def _images(hidden: bool, chance: random.Random) -> Iterable[SizeAndStride]:
    yield from in_any_order((2, 2, 2, 2))
    for size in product((1, 2), repeat=4):
        row_major = contiguous_stride(size)
        orders = permutations(range(4)) if hidden else (((3, 2, 1, 0), (2, 3, 1, 0), (0, 3, 2, 1)))
        yield from ((size, packed(size, order)) for order in orders)
        # Already in order, or nearly so, also with odd strides where the size is 1.
        yield from near(size, CHANNELS_LAST, few=1 in size)
        if prod(size) > 2:
            # Evenly spaced, and all the same.
            yield size, tuple(2 * step for step in row_major)
            yield size, (0, 0, 0, 0)
    few = ((3, 2, 1, 0), CHANNELS_LAST, (1, 2, 3, 0))
    for size in ((1, 3, 12, 10), (2, 11, 1, 3), (2, 3, 4, 3), (3, 1, 2, 4), (1, 4, 5, 1)):
        orders = permutations(range(4)) if hidden and max(size) < 10 else few
        yield from ((size, packed(size, order)) for order in orders)
    if hidden:
        for size in ((1, 2, 3, 2), (2, 3, 2, 1)):
            yield from small([size], (0, 1, 4))
    yield from chance_walks(70 if hidden else 7, chance, (CHANNELS_LAST,), (4,), most=48)
    yield from chance_walks(4 if hidden else 1, chance, (CHANNELS_LAST,), (4,), most=400)


def _images_stride(size: Ints) -> Ints:
    return stride_of("to_channels_last", size, channels_last)


@draft.complaint
def _complaint(case: Case, outcome: Outcome) -> str | None:
    given: TensorData = case.arguments[0]
    problem = other_tensor(outcome, given)
    if problem:
        return problem
    result = outcome.value
    if not follows(result.layout, channels_last):
        what = "t itself, of" if outcome.is_argument == 0 else ""
        return (
            f"returned {f'{what} stride'.strip()} {result.stride}, which is not channels_last; "
            f"expected {_images_stride(given.size)}{_free(given.size)}."
        )
    return other_values(result, given.values())


@draft.expect
def _expect(case: Case) -> TensorData:
    given: TensorData = case.arguments[0]
    return copied(given, _images_stride(given.size))


@draft.is_right
def _is_right(_case: Case, copy: TensorData, outcome: Outcome) -> bool:
    return is_copy(copy, outcome, lambda layout: follows(layout, channels_last))


def _free(size: Ints) -> str:
    return ", where dims of size 1 may have any stride" if 1 in size else ""


@draft.rule
def _rule(tensor: TensorData) -> str:
    _, c, h, w = tensor.size
    return (
        "size and values stay as they are, and only the order in memory is another: C has stride "
        f"1, W has stride C = {c}, H has W × C = {w * c}, N has H × W × C = {h * w * c}."
    )


_SIZE_STAYS = (
    "this is what you get if the dims are permuted and not put back. The size stays (N, C, H, W)."
)
draft.picture(
    lambda case, outcome: draw_copy(case, outcome, _images_stride(case.arguments[0].size))
)
draft.weigh(weigh_image)


@draft.mistake(_SIZE_STAYS)
def _permutes_the_size(tensor: Any) -> Any:
    return tensor.permute(0, 2, 3, 1)


@draft.mistake(_SIZE_STAYS)
def _permutes_and_copies(tensor: Any) -> Any:
    return tensor.permute(0, 2, 3, 1).contiguous()


@draft.mistake(_SIZE_STAYS)
def _permutes_into_a_copy(tensor: Any) -> Any:
    return copies(tensor.permute(0, 2, 3, 1))


@draft.mistake(
    "this is what you get if the dims are permuted there and back, and nothing is copied "
    "in between. That gives the old header again."
)
def _there_and_back(tensor: Any) -> Any:
    return tensor.permute(0, 2, 3, 1).permute(0, 3, 1, 2)


@draft.mistake(
    "this is what you get if only the strides are changed. That moves no element: the "
    "same memory is read in another way."
)
def _restrides(tensor: Any) -> Any:
    return tensor.as_strided(tensor.size(), _images_stride(tuple(tensor.size())))


@draft.mistake(
    "this is what you get if the elements are given the size (N, H, W, C) in the old "
    "reading order. They have to be permuted first."
)
def _reinterprets(tensor: Any) -> Any:
    n, c, h, w = tensor.size()
    return tensor.reshape(n, h, w, c).permute(0, 3, 1, 2)


draft.mistake(
    "this is what you get with empty_like: it imitates the old strides, unless it is "
    "given a memory_format.",
    imitates,
)


@draft.mistake(
    "this is what you get with reshape. It copies only what it has to, and elements that "
    "are evenly spaced may stay apart."
)
def _hopes_for_a_copy(tensor: Any) -> Any:
    n, c, h, w = tensor.size()
    return tensor.permute(0, 2, 3, 1).reshape(-1).view(n, h, w, c).permute(0, 3, 1, 2)


draft.mistake(
    "this is what you get if the copy is row-major.",
    copies,
)
draft.mistake(
    "this is what you get if t is returned as it is.",
    never_copies,
)


def _in_order(wrong: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Does the same wrong thing to each pixel, and is right about the order."""

    def function(tensor: Any) -> Any:
        return wrong(tensor.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

    return function


draft.mistake(OF_THE_USUAL_DTYPE, _in_order(of_the_usual_dtype))
draft.mistake(OF_A_GUESSED_DTYPE, _in_order(of_a_guessed_dtype))
draft.mistake(THROUGH_FLOATS, _in_order(through_floats))
draft.mistake(ADDED_TO_ZEROS, _in_order(added_to_zeros))


@draft.mistake(
    "this is what you get if H comes before W. In a channels_last image the next pixel is the one "
    "to the right, so W moves faster."
)
def _h_before_w(tensor: Any) -> Any:
    return copies(tensor.permute(0, 3, 2, 1)).permute(0, 3, 2, 1)


EXERCISE = draft.exercise()
