"""ps6, `view_dtype`: the same bytes in elements of another size."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Draft, Refusal
from stridekit.checks.returns import HEADER
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.errors import ViewError
from stridekit.exercises.ps6.byte_pictures import Shown, draw_over_bytes
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.view_rule import view_dtype

PARAMETERS = ("size", "stride", "storage_offset", "itemsize", "new_itemsize")
draft = Draft("view_dtype", PARAMETERS, place=4, returns=HEADER)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    pairs = [(4, 4), (8, 4), (4, 8), (8, 2), (2, 8)]
    for layout in small_layouts(1, (0, 1, 2), (0, 1, 2, 4)):
        for pair in product((1, 2, 4, 8), repeat=2):
            yield *_header(layout), *pair
    for layout in _small_grids():
        for pair in (*pairs, (1, 16), (16, 2)) if hidden else pairs[:4]:
            yield *_header(layout), *pair
    if hidden:
        for size in product((0, 1, 2), (0, 1, 3), (0, 1, 2, 4)):
            for stride in product((0, 2, 3), (1, 2, 4), (1,)):
                for pair in pairs[1:4]:
                    yield size, stride, 2, *pair
    for layout in random_layouts(900 if hidden else 250, chance):
        old, new = chance.choice((1, 2, 4, 8)), chance.choice((1, 2, 4, 8))
        ratio = max(new // old, 1)
        *outer, _ = layout.stride
        last = layout.size[-1]
        if chance.random() < 0.8:
            # So that most can be joined.
            last, outer = last * ratio, [step * ratio for step in outer]
        offset = layout.storage_offset * (ratio if chance.random() < 0.8 else 1)
        steps = *outer, chance.choice((1, 1, 1, 1, 1, 1, 2))
        yield (*layout.size[:-1], last), steps, offset, old, new


def _small_grids() -> Iterable[Layout]:
    for size in product((0, 1, 2, 3), (0, 1, 2, 3, 4)):
        for outer in (0, 1, 2, 4):
            for offset in (0, 1, 2):
                yield Layout(size, (outer, 1), offset)
            yield Layout(size, (outer, 2), 0)


def _header(layout: Layout) -> tuple[Ints, Ints, int]:
    return layout.size, layout.stride, layout.storage_offset


@draft.reference
def _reference(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Plain:
    try:
        return _header(view_dtype(Layout(size, stride, storage_offset), itemsize, new_itemsize))
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


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    *header, itemsize, new_itemsize = case.arguments
    if 0 in header[0]:
        return None
    return draw_over_bytes(
        {
            "given": Shown(tuple(header), itemsize),
            "expected": Shown(expected, new_itemsize),
            "yours": Shown(yours, new_itemsize),
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
