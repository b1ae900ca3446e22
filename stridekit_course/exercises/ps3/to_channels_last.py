"""ps3, `to_channels_last`: an image in channels_last order."""

import random
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.memory_formats import channels_last, stride_of
from stridekit_course.checks.callee import TensorData
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import (
    CHANNELS_LAST,
    FILLED,
    ORDERS,
    in_every_order,
    layouts,
    packed,
    put,
)
from stridekit_course.checks.tensor_results import copied, wrong_tensor
from stridekit_course.exercises import ps3

_ORDERS = (*("channels last",) * 2, *ORDERS)


def _cases(hidden: bool, chance: random.Random) -> Given:
    row_major, every_order = (3, 2, 1, 0), [*permutations(range(4))]
    for size in product((1, 2), repeat=4):
        orders = every_order if hidden or 1 not in size else [row_major, CHANNELS_LAST]
        yield from (Layout(size, packed(size, order)) for order in orders)
        stride = packed(size, CHANNELS_LAST)
        yield from (Layout(size, put(stride, dim, stride[dim] + 1)) for dim in range(4))
    yield from in_every_order((2, 3, 9, 10), chance)
    # Other values under the same header.
    small = Layout((1, 2, 2, 2), (8, 4, 2, 1))
    yield from (Layout(small.size, small.stride, offset) for offset in (1, 2, 3))
    yield from ps3.odd_tensors(hidden, chance, small, Layout((2, 3, 2, 2), (0, 1, 0, 1)))
    options: dict[str, Any] = {"sizes": FILLED, "orders": _ORDERS}
    for most, count in ((60, 400 if hidden else 50), (600, 15 if hidden else 3)):
        yield from [*layouts(chance, (4,), most=most, times=1 + hidden, **options)][:count]
    yield from ps3.crossed_tensors(hidden, chance, (4,), **options)


def _stride(size: Ints) -> Ints:
    return stride_of("to_channels_last", size, channels_last)


def _rule(tensor: TensorData) -> str:
    _, c, h, w = tensor.size
    return (
        "size and values stay as they are, and only the order in memory differs: C has stride "
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
        *("contiguous", "clone", *ps3.CONVERSIONS),
    ),
    cases=_cases,
    late=ps3.is_repeated,
    reference=lambda given: copied(given, _stride(given.size)),
    complaint=lambda copy, outcome, _: wrong_tensor(outcome, copy, "channels_last"),
    rule=_rule,
    picture=ps3.draw_copy,
    known={
        "if the dims are permuted and not put back. The size stays (N, C, H, W).": (
            lambda tensor: tensor.permute(0, 2, 3, 1),
            lambda tensor: ps3.copies(tensor.permute(0, 2, 3, 1)),
        ),
        "if the dims are permuted there and back, and nothing is copied in between. That gives the"
        " old header again.": lambda tensor: tensor.permute(0, 2, 3, 1).permute(0, 3, 1, 2),
        "if only the strides are changed. That moves no element: the same memory is read in "
        "another way.": lambda tensor: tensor.as_strided(tensor.size(), _stride((*tensor.size(),))),
        "if the elements are given the size (N, H, W, C) in the old reading order. They have to be"
        " permuted first.": _reinterprets,
        "with empty_like: it imitates the old strides, "
        "unless it is given a memory_format.": ps3.imitates,
        "with reshape. It copies only what it has to, and elements that are evenly spaced may stay"
        " apart.": _hopes_for_a_copy,
        "if the copy is row-major.": ps3.copies,
        "if the tensor is returned as it is.": lambda tensor: tensor,
        **{said: _in_order(copy) for said, copy in ps3.LOSSY_COPIES.items()},
        "if H comes before W. In a channels_last image the next pixel is the one to the right, so "
        "W runs faster.": lambda tensor: ps3.copies(tensor.permute(0, 3, 2, 1)).permute(0, 3, 2, 1),
    },
)
