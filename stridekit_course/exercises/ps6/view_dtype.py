"""ps6, `view_dtype`: the same bytes in elements of another size."""

import random
from collections.abc import Iterable
from itertools import cycle, product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.errors import ViewError
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.view_rule import view_dtype
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import header, random_layouts, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft, Refusal
from stridekit_course.checks.returns import HEADER
from stridekit_course.exercises.ps6 import ByteHeader, draw_over_bytes

PARAMETERS = ("size", "stride", "storage_offset", "itemsize", "new_itemsize")
draft = Draft("view_dtype", PARAMETERS, place=4, returns=HEADER)


# Smaller and larger elements, by every ratio; and the same.
_PAIRS = (
    *((8, 4), (4, 8), (4, 4), (8, 2), (2, 8), (16, 8), (1, 2), (1, 16), (16, 1), (2, 4)),
    *((8, 16), (4, 1), (4, 16), (8, 8), (2, 1), (1, 8), (16, 2), (1, 1), (16, 4), (1, 4)),
    *((8, 1), (2, 16), (4, 2), (16, 16), (2, 2)),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """At most 7 dims."""
    for pair, offset in product(_PAIRS, (0, 1, 2) if hidden else (0,)):
        yield (), (), offset, *pair
    turns = cycle(_PAIRS)
    for n, step in product((0, 1, 2, 3, 4, 8, 16, 24), (1, 2, 0)):
        for offset in (0, 2, 4, 16, 3) if hidden else (0, 4) if step == 1 else (0,):
            for pair in (next(turns), next(turns), next(turns)) if hidden else (next(turns),):
                yield (n,), (step,), offset, *pair
    for layout in _small_grids(hidden):
        for pair in _PAIRS[:2]:
            yield *header(layout), *pair
        yield *header(layout), *next(turns)
    for pair in _PAIRS if hidden else _PAIRS[:18]:
        yield from ((*given, *pair) for given in _at_the_edge(pair))
    for layout in random_layouts(250 if hidden else 30, chance, (2, 7)):
        old, new = next(turns)
        ratio = max(new // old, 1)
        *outer, _ = layout.stride
        last = layout.size[-1]
        if chance.random() < 0.8:
            # So that most can be joined.
            last, outer = last * ratio, [step * ratio for step in outer]
        offset = layout.storage_offset * (ratio if chance.random() < 0.8 else 1)
        steps = *outer, chance.choice((1, 1, 1, 1, 1, 1, 2))
        yield (*layout.size[:-1], last), steps, offset, old, new


def _small_grids(hidden: bool) -> Iterable[Layout]:
    if not hidden:
        for size, step, offset in product(((2, 4), (1, 2), (2, 0), (3, 3)), (4, 3), (0, 2)):
            yield Layout(size, (step, 1), offset)
        return
    for size in product((0, 1, 2), (0, 1, 2, 4)):
        for outer, offset in product((0, 3, 4), (0, 1, 2)):
            yield Layout(size, (outer, 1), offset)
        yield Layout(size, (4, 2), 0)


def _at_the_edge(pair: tuple[int, int]) -> Iterable[tuple[Ints, Ints, int]]:
    """What can just be joined; then one number by itself that half the ratio divides."""
    ratio = max(pair[1] // pair[0], 1)
    half = ratio // 2 or 1
    size, stride, offset = (3, 1, 2 * ratio), (6 * ratio, 4 * ratio, 1), 3 * ratio
    yield size, stride, offset
    yield size, stride, offset + half
    yield (2, 3, ratio + half), stride, offset
    # Also a stride that no element is reached by.
    yield size, (6 * ratio, 4 * ratio + half, 1), offset
    yield size, (6 * ratio + half, 4 * ratio, 1), offset
    # Two of them at once.
    yield size, (6 * ratio, 4 * ratio + half, 1), offset + half
    yield size, (6 * ratio + half, 4 * ratio + half, 1), offset
    yield (3, 0, 2 * ratio), (6 * ratio, half, 1), 0
    yield (0, 2, 0), (ratio, ratio, 1), half
    yield (2, 3, 1), (2 * ratio, ratio, 2), offset
    yield (2, 1), (ratio, 2), 0
    yield (2, 2, 2 * ratio), (0, 0, 1), 0
    # A last stride that would come out as 1.
    yield (2, 2, 2), (4 * ratio, 2 * ratio, ratio), 0
    many, steps = (2, 1, 2, 1, 2, 1, 2 * ratio), (*(k * ratio for k in (16, 7, 8, 0, 4, 4)), 1)
    yield many, steps, ratio
    yield many, (steps[0] + half, *steps[1:]), ratio
    yield (2, 300_000 * ratio), (123_457 * ratio, 1), (2**54 + 1) * ratio


@draft.reference
def _reference(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Plain:
    try:
        return header(view_dtype(Layout(size, stride, storage_offset), itemsize, new_itemsize))
    except ViewError as error:
        # Its message is: call, reason, way out.
        return Refusal("ValueError", _reason(f"{error}"))


def _reason(message: str) -> str:
    if "on rank 0" in message:
        return "rank 0 has no last dim that could grow or shrink"
    reason = message.partition(": ")[2].partition(", ")[0]
    return f"{reason} and not 1" if "side by side" in message else f"{reason}{_divisor(message)}"


def _divisor(message: str) -> str:
    return f", which does not divide by {message.rstrip('.').rpartition(' ')[2]}"


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int) -> str:
    expected = _reference(size, stride, storage_offset, itemsize, new_itemsize)
    if itemsize == new_itemsize:
        return "elements of the same itemsize lie where the old ones lie: the header stays."
    if isinstance(expected, Refusal):
        if "and not 1" in expected.why:
            return (
                "elements are only taken apart or joined where the last dim goes byte after byte, "
                f"even if its size is {size[-1]}: {expected.why}."
            )
        return f"torch refuses another itemsize here: {expected.why}."
    if new_itemsize < itemsize:
        ratio = itemsize // new_itemsize
        return (
            f"each element becomes {ratio}: the last size, the other strides and the offset are "
            f"multiplied by {ratio}, and the last stride stays 1."
        )
    ratio = new_itemsize // itemsize
    return (
        f"{ratio} elements become one: the last size, the other strides and the offset are divided "
        f"by {ratio}, and the last stride stays 1."
    )


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    # Two dims show more than one: there is another stride.
    size = case.arguments[0]
    return 0 in size, len(size) != 2, 1 in size, weigh_arguments(case)


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    *given, itemsize, new_itemsize = case.arguments
    if 0 in given[0]:
        return None
    return draw_over_bytes(
        {
            "given": ByteHeader(tuple(given), itemsize),
            "expected": ByteHeader(expected, new_itemsize),
            "yours": ByteHeader(yours, new_itemsize),
        },
        bytes=True,
    )


def _scaled(number: int, itemsize: int, new_itemsize: int) -> int:
    return number * itemsize // new_itemsize


@draft.mistake(
    "this is what you get if storage_offset is left as it is. It counts elements too, "
    "and they have another size now."
)
def _offset_kept(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Any:
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    expected = _reference(size, stride, 0, itemsize, new_itemsize)
    if isinstance(expected, Refusal):
        raise ValueError
    return *expected[:2], storage_offset


@draft.mistake(
    "this is what you get if storage_offset is rounded down. What does not divide is refused."
)
def _offset_rounded(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Any:
    kept = _offset_kept(size, stride, storage_offset, itemsize, new_itemsize)
    return *kept[:2], _scaled(storage_offset, itemsize, new_itemsize)


@draft.mistake(
    "this is what you get if the last stride is not looked at where the last size is 0 or "
    "1. Here torch looks at it always."
)
def _ones_exempt(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Any:
    if size and size[-1] < 2 and itemsize != new_itemsize:
        stride = (*stride[:-1], 1)
    expected = _reference(size, stride, storage_offset, itemsize, new_itemsize)
    if isinstance(expected, Refusal):
        raise ValueError
    return expected


@draft.mistake(
    "this is what you get if the other strides are left as they are. They count elements "
    "too, and these have another size now."
)
def _strides_kept(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Any:
    inner = _reference(size[-1:], stride[-1:], storage_offset, itemsize, new_itemsize)
    if isinstance(inner, Refusal):
        raise ValueError
    return (*size[:-1], *inner[0]), stride, inner[2]


@draft.mistake(
    "this is what you get if everything is multiplied or rounded down. Which headers does "
    "torch refuse?"
)
def _never_refuses(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Any:
    if not size:
        return size, stride, _scaled(storage_offset, itemsize, new_itemsize)
    outer = tuple(_scaled(step, itemsize, new_itemsize) for step in stride[:-1])
    return (
        (*size[:-1], _scaled(size[-1], itemsize, new_itemsize)),
        (*outer, stride[-1]),
        _scaled(storage_offset, itemsize, new_itemsize),
    )


EXERCISE = draft.exercise()
