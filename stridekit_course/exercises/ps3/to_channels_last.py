"""ps3, `to_channels_last`: an image in channels_last order."""

import random
from collections.abc import Callable, Iterable
from itertools import permutations, product
from typing import Any

from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.memory_formats import channels_last, follows, stride_of
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.exercise import Arguments, Exercise
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import (
    CHANNELS_LAST,
    ORDERS,
    crossed_layouts,
    in_every_order,
    layouts,
    packed,
    tensor_data,
)
from stridekit_course.checks.tensor_results import (
    DTYPES,
    copied,
    is_exactly,
    no_tensor,
    other_kind,
    other_values,
)
from stridekit_course.exercises.ps3 import (
    CONVERSIONS,
    LOSSY_COPIES,
    copies,
    draw_copy,
    imitates,
    is_repeated,
)

_ORDERS = (*("channels last",) * 2, *ORDERS)
_SIZES = ("twos", "mixed", "alike", "ones", "wide", "wide ones")


def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for size in product((1, 2), repeat=4):
        orders = [*permutations(range(4))] if hidden or 1 not in size else [(3, 2, 1, 0)]
        for order in orders:
            yield (tensor_data(Layout(size, packed(size, order))),)
        stride = packed(size, CHANNELS_LAST)
        yield (tensor_data(Layout(size, stride)),)
        dim = chance.randrange(4)
        yield (tensor_data(Layout(size, (*stride[:dim], stride[dim] + 1, *stride[dim + 1 :]))),)
    yield from ((tensor_data(layout),) for layout in in_every_order((1, 12, 3, 2), chance))
    # Other values under the same header.
    for offset in (1, 2, 3):
        yield (tensor_data(Layout((1, 2, 2, 2), (8, 4, 2, 1), offset)),)
    # All eight odd values of a dtype, in another order.
    for dtype in ("int64", *DTYPES):
        yield (tensor_data(Layout((1, 2, 2, 2), (8, 4, 2, 1)), dtype=dtype, odd=True),)
        twice = Layout((2, 3, 1, 2), (0, 1, 5, 1))
        for layout in (twice, *in_every_order((2, 3, 1, 2), chance)) if hidden else ():
            yield (tensor_data(layout, dtype=dtype, odd=True),)
    options: dict[str, Any] = {"sizes": _SIZES, "orders": _ORDERS}
    for layout in layouts(chance, (4,) * 2, most=60, times=8 if hidden else 1, **options):
        yield (tensor_data(layout),)
    for layout in [*layouts(chance, (4,), most=600, **options)][: 15 if hidden else 3]:
        yield (tensor_data(layout),)
    rows = [*crossed_layouts(chance, (4,), most=24, dtype=("int64", *DTYPES), **options)]
    for layout, row in rows if hidden else rows[:24]:
        yield (tensor_data(layout, dtype=row.dtype, odd=True),)


def _stride(size: Ints) -> Ints:
    return stride_of("to_channels_last", size, channels_last)


def _complaint(case: Case, copy: TensorData, outcome: Outcome) -> str | None:
    if is_exactly(outcome, copy):
        return None
    given: TensorData = case.arguments[0]
    result = outcome.value
    problem = no_tensor(outcome) or other_kind(result, given.dtype, given.size)
    if problem:
        return problem
    if not follows(result.layout, channels_last):
        what = "the tensor itself, of" if outcome.is_argument == 0 else ""
        free = ", where dims of size 1 may have any stride" if 1 in given.size else ""
        return (
            f"returned {f'{what} stride'.strip()} {result.stride}, which is not channels_last; "
            f"expected {copy.stride}{free}."
        )
    return other_values(result, given.values())


def _rule(tensor: TensorData) -> str:
    _, c, h, w = tensor.size
    return (
        "size and values stay as they are, and only the order in memory is another: C has stride "
        f"1, W has stride C = {c}, H has W × C = {w * c}, N has H × W × C = {h * w * c}."
    )


def _in_order(wrong: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Does the same wrong thing to each pixel, and is right about the order."""
    return lambda tensor: wrong(tensor.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


def _reinterprets(tensor: Any) -> Any:
    n, c, h, w = tensor.size()
    return tensor.reshape(n, h, w, c).permute(0, 3, 1, 2)


def _hopes_for_a_copy(tensor: Any) -> Any:
    n, c, h, w = tensor.size()
    return tensor.permute(0, 2, 3, 1).reshape(-1).view(n, h, w, c).permute(0, 3, 1, 2)


EXERCISE = Exercise(
    "to_channels_last",
    ("tensor",),
    place=7,
    rules=without(
        "to_channels_last has to order the memory itself: that call takes a memory_format, and "
        "would do the exercise.",
        *("contiguous", "clone", *CONVERSIONS),
    ),
    cases=_cases,
    late=is_repeated,
    reference=lambda given: copied(given, _stride(given.size)),
    complaint=_complaint,
    rule=_rule,
    picture=lambda case, copy, outcome: draw_copy(case, outcome, copy.stride),
    known={
        "if the dims are permuted and not put back. The size stays (N, C, H, W).": (
            lambda tensor: tensor.permute(0, 2, 3, 1),
            lambda tensor: tensor.permute(0, 2, 3, 1).contiguous(),
            lambda tensor: copies(tensor.permute(0, 2, 3, 1)),
        ),
        "if the dims are permuted there and back, and nothing is copied in between. That gives the"
        " old header again.": lambda tensor: tensor.permute(0, 2, 3, 1).permute(0, 3, 1, 2),
        "if only the strides are changed. That moves no element: the same memory is read in "
        "another way.": lambda tensor: tensor.as_strided(tensor.size(), _stride((*tensor.size(),))),
        "if the elements are given the size (N, H, W, C) in the old reading order. They have to be"
        " permuted first.": _reinterprets,
        "with empty_like: it imitates the old strides, "
        "unless it is given a memory_format.": imitates,
        "with reshape. It copies only what it has to, and elements that are evenly spaced may stay"
        " apart.": _hopes_for_a_copy,
        "if the copy is row-major.": copies,
        "if the tensor is returned as it is.": lambda tensor: tensor,
        **{said: _in_order(copy) for said, copy in LOSSY_COPIES.items()},
        "if H comes before W. In a channels_last image the next pixel is the one to the right, so "
        "W moves faster.": lambda tensor: copies(tensor.permute(0, 3, 2, 1)).permute(0, 3, 2, 1),
    },
)
