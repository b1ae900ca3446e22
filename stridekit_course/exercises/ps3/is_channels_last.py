"""ps3, `is_channels_last`: whether strides are those of channels_last."""

import random
from collections.abc import Iterable
from itertools import islice, product
from typing import Any

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.memory_formats import channels_last, follows
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises.ps3 import (
    CHANNELS_LAST,
    backwards,
    chance_walks,
    draw_beside,
    forwards,
    in_any_order,
    in_words,
    near,
    packed,
    small,
    walk,
    walked,
    weigh_image,
)

draft = Draft("is_channels_last", ("size", "stride"), place=4, returns=TRUTH)
# The strides of N, C, H, W: as many positions as elements from the first to the last, and ascending
# as they should, and yet with gaps and overlaps.
_REACHES = ((7, 1, 5, 2), (7, 1, 4, 3), (6, 1, 5, 3), (9, 1, 3, 2))


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for size in product((1, 2, 3) if hidden else (1, 2), repeat=4):
        yield from near(size, CHANNELS_LAST, few=True)
    # A 0 in every place, and in several.
    for size in product((0, 1, 2) if hidden else (0, 2), repeat=4):
        if 0 in size:
            yield from islice(near(size, CHANNELS_LAST, few=True), 1 if 1 in size else None)
            yield size, contiguous_stride(size)
    yield from in_any_order((2, 2, 2, 2), (2, 3, 4, 5))
    for stride in _REACHES:
        yield (2, 2, 2, 2), stride
    # With the same digits.
    for stride in ((11, 1, 1, 1), (1, 11, 1, 1)):
        yield (1, 2, 1, 1), stride
    # Strides beyond 256 are other objects than numbers that are equal to them.
    for size in ((1, 10, 4, 12), (1, 260, 1, 2), (2, 2, 130, 1), (2, 13, 2, 11)):
        yield from near(size, CHANNELS_LAST, few=not hidden)
    yield from _of_another_rank(hidden)
    if hidden:
        yield from in_any_order((1, 2, 3, 2), (2, 1, 3, 2), (2, 3, 1, 2), (2, 3, 2, 1))
        yield from small([(2, 2, 2, 2)], (1, 2, 4, 8))
    orders = (CHANNELS_LAST,) * 3
    yield from chance_walks(100 if hidden else 15, chance, orders, ranks=(4,))


def _of_another_rank(hidden: bool) -> Iterable[Arguments]:
    """Images without a batch, channels_last_3d, and channels_last with a dim too much."""
    size: Ints
    for size in ((), (1,), (3,), (0,), (2, 3), (2, 0), (1, 1), (2, 3, 4), (1, 1, 1), (0, 2, 2)):
        yield size, packed(size, backwards(size))
        yield size, packed(size, forwards(size))
    for size in ((2, 3, 4), (3, 2, 2)):
        yield size, packed(size, (0, 2, 1))
    for size in ((2, 2, 2, 2), (1, 2, 3, 2)) if hidden else ((2, 3, 2, 2),):
        stride = packed(size, CHANNELS_LAST)
        for n, step in ((1, 1), (1, 0), (2, 100)):
            for place in range(5):
                yield _inserted(size, place, n), _inserted(stride, place, step)
    for size in ((2, 3, 2, 2, 2), (1, 2, 1, 2, 2), (1, 1, 1, 1, 1)):
        yield size, packed(size, (1, 4, 3, 2, 0))
    for size in ((1, 1, 2, 3, 2, 2), (2, 1, 2, 3, 1, 2, 1)):
        yield size, packed(size, backwards(size))


def _inserted(numbers: Ints, place: int, number: int) -> Ints:
    return (*numbers[:place], number, *numbers[place:])


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    if len(size) != 4:
        return f"channels_last is for the four dims N, C, H, W, and here is rank {len(size)}."
    steps = walk(size, stride, CHANNELS_LAST)
    words = in_words("C, W, H, N (1, 3, 2, 0)", steps)
    if 0 in size:
        return f"a tensor without elements is walked like any other. {words[0].upper()}{words[1:]}."
    return f"{words}."


def _other_order(*order: int) -> Any:
    def in_that_order(size: Ints, stride: Ints) -> Any:
        return len(size) == 4 and walked(size, stride, [dim for dim in order if size[dim] != 1])

    return in_that_order


_C_IS_FIRST = (
    "this is what you get if W comes before C. The channels of a pixel are neighbours in memory, "
    "so the walk begins with C: C, W, H, N."
)
draft.reference(lambda size, stride: follows(Layout(size, stride), channels_last))
draft.picture(
    lambda case, *_: (
        draw_beside(case.arguments, "channels_last", packed(case.arguments[0], CHANNELS_LAST))
        if len(case.arguments[0]) == 4
        else draw_beside(case.arguments, "", case.arguments[1])
    )
)
draft.weigh(weigh_image)


@draft.mistake(
    "this is what you get if tensors without elements are exempt. For contiguous they "
    "are, for channels_last they are not."
)
def _exempting(size: Ints, stride: Ints) -> Any:
    return len(size) == 4 and (0 in size or follows(Layout(size, stride), channels_last))


@draft.mistake("this is what you get if a size of 0 is multiplied as 1.")
def _zero_as_one(size: Ints, stride: Ints) -> Any:
    raised = tuple(max(n, 1) for n in size)
    expected = 1
    for dim in CHANNELS_LAST if len(size) == 4 else ():
        if size[dim] != 1 and stride[dim] != expected:
            return False
        expected *= raised[dim]
    return len(size) == 4


draft.mistake(
    "this is what you get if H comes before W. In a channels_last image the next pixel is "
    "the one to the right, so W moves faster.",
    _other_order(1, 2, 3, 0),
)
draft.mistake(
    _C_IS_FIRST,
    _other_order(3, 2, 1, 0),
)
draft.mistake(
    _C_IS_FIRST,
    _other_order(0, 2, 3, 1),
)


@draft.mistake("this is what you get if dims of size 1 are not skipped.")
def _channels_with_ones(size: Ints, stride: Ints) -> Any:
    return len(size) == 4 and walked(size, stride, CHANNELS_LAST)


@draft.mistake("this is what you get if only the stride of C is looked at.")
def _channel_is_one(size: Ints, stride: Ints) -> Any:
    return len(size) == 4 and stride[1] == 1


EXERCISE = draft.exercise()
