"""ps2, `slice_dim`: some indices of a dim, so many apart."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from stridekit.checks.cases import header
from stridekit.checks.exercise import Arguments, Refusal
from stridekit.checks.returns import HEADER
from stridekit.checks.seam import Case, Function, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps2.dims import bad_dims, dims_of, with_dim
from stridekit.exercises.ps2.drafts import HeaderDraft
from stridekit.exercises.ps2.headers import (
    draw_header_change,
    random_headers,
    small_headers,
)
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout

draft = HeaderDraft(
    "slice_dim",
    ("size", "stride", "storage_offset", "dim", "start", "stop", "step"),
    place=2,
    returns=HEADER,
    named=("dim",),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for n in range(6 if hidden else 4):
        bounds = range(-n - 1, n + 2)
        for start, stop, step in product(bounds, bounds, range(1, 5 if hidden else 4)):
            yield (n,), (2,), 4, 0, start, stop, step
    for rank in range(4 if hidden else 3):
        for layout in small_headers(rank):
            for dim in dims_of(rank):
                yield (*header(layout), dim, *_bounds(layout.size[dim], chance))
                if dim % 2:
                    yield (*header(layout), dim, 0, 2, chance.choice((0, 0, -1, -2)))
            if rank < 2 or layout.storage_offset:
                for dim in bad_dims(rank):
                    yield (*header(layout), dim, 0, 2, 1)
    for layout, dim in random_headers(1500 if hidden else 300, chance):
        yield (*header(layout), dim, *_bounds(layout.size[dim], chance))


def _bounds(n: int, chance: random.Random) -> tuple[int, int, int]:
    """A start, a stop and a step; some far outside."""
    far = (-100, 100)
    start = chance.choice((0, 1, chance.randint(-n - 1, n + 1), chance.choice(far)))
    stop = chance.choice((n, -1, chance.randint(-n - 1, n + 1), chance.choice(far)))
    return start, stop, chance.choice((1, 2, 2, 3, 5))


@draft.reference
def _reference(
    size: Ints, stride: Ints, storage_offset: int, dim: int, start: int, stop: int, step: int
) -> Plain:
    if step < 1:
        return Refusal("ValueError", f"the step is {step}, and it has to be at least 1")
    layout = Layout(size, stride, storage_offset)
    return header(dims.slice_dim(layout, dim, slice(start, stop, step)))


@draft.rule
def _rule(size: Ints, stride: Ints, _: int, dim: int, start: int, stop: int, step: int) -> str:
    if step < 1:
        return "torch has no negative strides, and a step of 0 leads nowhere: steps are 1 or more."
    n, old = size[dim], stride[dim]
    first, last, _ = slice(start, stop, step).indices(n)
    meant = (
        ""
        if (first, last) == (start, stop)
        else f" means {first}:{last}:{step} (negative bounds count from the end, and what is too "
        "far is cut off)"
    )
    taken = range(first, last, step)
    shown = ", ".join(map(str, taken[:4])) + (", …" if len(taken) > 4 else "")
    count = (
        f"({last} - {first}) / {step}, rounded up, is {len(taken)}: "
        f"ind{'ex' if len(taken) == 1 else 'ices'} {shown}"
        if taken
        else f"nothing lies from {first} up to {last}, so the size is 0"
    )
    return (
        f"{start}:{stop}:{step} in a dim of size {n}{meant}; {count}; the stride is {old} × "
        f"{step} = {old * step}; the offset moves by {first} × {old} = {first * old}"
        f"{'' if taken else ', also when nothing is left'}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride, offset, dim, start, stop, step = case.arguments
    first: Ints | None = None
    if expected is not None and 0 not in expected[0]:
        begin = slice(start, stop, step).indices(size[dim])[0]
        first = tuple(begin if d == dim % len(size) else 0 for d in range(len(size)))
    return draw_header_change((size, stride, offset), expected, returned, first)


def _python_bounds(start: int, stop: int, n: int) -> tuple[int, int]:
    return slice(start, stop).indices(n)[:2]


def _slicing(
    bounds: Callable[[int, int, int], tuple[int, int]] = _python_bounds,
    count: Callable[[int, int, int], int] = lambda start, stop, step: len(range(start, stop, step)),
    new_stride: Callable[[int, int], int] = lambda old, step: old * step,
    moved: Callable[[int, int, int, int], int] = lambda start, _, old, __: start * old,
) -> Function:
    """A way to slice, right but for the parts that are given."""

    def wrong(size: Ints, stride: Ints, offset: int, dim: int, *key: int) -> Any:
        start, stop = bounds(key[0], key[1], size[dim])
        step, old = key[2], stride[dim]
        left = count(start, stop, step)
        return (
            with_dim(size, dim, left),
            with_dim(stride, dim, new_stride(old, step)),
            offset + moved(start, step, old, left),
        )

    return wrong


def _cut(start: int, stop: int, n: int) -> tuple[int, int]:
    return min(max(start, 0), n), min(max(stop, 0), n)


def _from_end(start: int, stop: int, n: int) -> tuple[int, int]:
    return start + (n if start < 0 else 0), stop + (n if stop < 0 else 0)


def _wrapped(start: int, stop: int, n: int) -> tuple[int, int]:
    return start % n, stop if 0 <= stop <= n else stop % n


draft.mistake(
    "this is what you get if the new size is rounded down. 0:3:2 takes indices 0 and 2, "
    "which is two of them, and 3 // 2 is 1.",
    _slicing(count=lambda start, stop, step: max(0, (stop - start) // step)),
)
draft.mistake(
    "this is what you get if the step is left out.",
    _slicing(count=lambda start, stop, _: max(0, stop - start), new_stride=lambda old, _: old),
)
draft.mistake(
    "this is what you get if the stride stays. One step in the result is `step` steps in "
    "the given tensor.",
    _slicing(new_stride=lambda old, _: old),
)
draft.mistake(
    "this is what you get if the step becomes the stride. The stride is multiplied by it.",
    _slicing(new_stride=lambda _, step: step),
)
draft.mistake(
    "this is what you get if the offset stays: the result would begin at index 0, not at start.",
    _slicing(moved=lambda *_: 0),
)
draft.mistake(
    "this is what you get if the offset moves by start. It moves by start × stride.",
    _slicing(moved=lambda start, *_: start),
)
draft.mistake(
    "this is what you get if start is multiplied by the new stride. Start counts steps of "
    "the old one.",
    _slicing(moved=lambda start, step, old, _: start * step * old),
)
draft.mistake(
    "this is what you get if an empty slice leaves the offset as it was. It moves all the "
    "same, as in torch.",
    _slicing(moved=lambda start, _, old, left: start * old if left else 0),
)
draft.mistake(
    "this is what you get if a slice that ends before it starts gets a negative size. "
    "Sizes are never below 0.",
    _slicing(count=lambda start, stop, step: -((start - stop) // step)),
)
draft.mistake(
    "this is what you get if a negative start or stop is clamped to 0. First add the "
    "size to it, then clamp.",
    _slicing(_cut),
)
draft.mistake(
    "this is what you get if start and stop are not clamped into 0 to size.",
    _slicing(_from_end),
)
draft.mistake(
    "this is what you get if bounds outside are wrapped around with %. They are clamped: "
    "what lies too far is cut off at the end.",
    _slicing(_wrapped),
)
EXERCISE = draft.exercise()
