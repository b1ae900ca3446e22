"""ps2, `slice_dim`: some indices of a dim, so many apart."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Function, Plain
from stridekit_course.checks.cases import header
from stridekit_course.checks.exercise import Arguments, Refusal
from stridekit_course.checks.returns import HEADER
from stridekit_course.exercises.ps2 import (
    DIMS_MOST,
    HUGE,
    SIZE_MOST,
    TWINS,
    WRAPPED,
    HeaderDraft,
    bad_dims,
    dims_of,
    draw_header_change,
    headers_of,
    larger_headers,
    of_many_dims,
    sizes_of,
    with_dim,
)

draft = HeaderDraft(
    "slice_dim",
    ("size", "stride", "storage_offset", "dim", "start", "stop", "step"),
    place=2,
    returns=HEADER,
    named=("dim",),
)


# Nothing, all, from the end, clamped on either side, one that is cut short.
_BOUNDS = ((2, 1, 1), (0, 2, 1), (-2, 9, 1), (-9, -1, 2), (1, 3, 3), (9, 9, 2))
_FAR = (-1000, -7, 0, 2, 1000)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for n, step in (*product(range(4), (1, 2, 3)), (4, 2)) if hidden else ((0, 1), (1, 2), (3, 2)):
        for start, stop in product(range(-n - 1, n + 2), repeat=2):
            yield (n,), (2,), 4, 0, start, stop, step
    for start, stop in product((-3, -1, 0, 1), (-1, 0, 2, 3)):
        yield (3,), (2,), 4, -1, start, stop, 1
    for start, stop, step in product(_FAR, _FAR, (1, 2, 7, 2000, 10**6) if hidden else (2, 10**6)):
        yield (5,), (2,), 4, 0, start, stop, step
    # The stop is equal to the size, and another object.
    for start, step in ((1, 1), (1, 3), (1, 149), (1, 299), (1, 300), (1, 301), (SIZE_MOST, 1)):
        yield (SIZE_MOST,), (2,), 4, 0, start, int(str(SIZE_MOST)), step
    # A step below 1 is refused in every dim, also where nothing would be left.
    for size in ((3,), (0,), (2, 3), *(((0, 2), (2, 3, 4)) if hidden else ())):
        for dim in dims_of(len(size)):
            for start, stop, step in ((0, 2, 0), (0, 2, -1), (2, 0, -2), (2, 0, 0), (0, 0, -100)):
                yield size, (7, 2, 1)[: len(size)], 4, dim, start, stop, step
    for rank in range(4):
        yield from ((*header(of_many_dims(rank)), dim, 1, 3, 2) for dim in bad_dims(rank))
    for layout in headers_of(2, ((2, 3), (3, 2), (0, 3)), count=1):
        for dim, bounds in product(dims_of(2), _BOUNDS):
            yield (*header(layout), dim, *bounds)
    for layout in headers_of(2, ((2, 3), (0, 3), (3, 1)), count=4):
        yield from ((*header(layout), dim, 1, 3, 2) for dim in dims_of(2))
    for offset, dim in product((0, 1, 300), (0, 1)):
        yield (3, 2), (7, 2), offset, dim, 1, 3, 1
    for layout in (TWINS, HUGE, of_many_dims(4), of_many_dims(5), of_many_dims(DIMS_MOST)):
        yield from ((*header(layout), dim, 1, 4, 2) for dim in dims_of(layout.ndim))
    if hidden:
        for layout in headers_of(3, sizes_of(3), count=1):
            yield from ((*header(layout), dim, 1, 3, 2) for dim in range(3))
    for layout, dim in larger_headers(300 if hidden else 30, chance):
        yield (*header(layout), dim, *_bounds(layout.size[dim], chance))


def _bounds(n: int, chance: random.Random) -> tuple[int, int, int]:
    """A start, a stop and a step; some far outside."""
    far = (-1000, 1000)
    start = chance.choice((0, 1, chance.randint(-n - 1, n + 1), chance.choice(far)))
    stop = chance.choice((n, -1, chance.randint(-n - 1, n + 1), chance.choice(far)))
    return start, stop, chance.choice((1, 2, 2, 3, 5, 50))


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
    "this is what you get if 1 is added to the quotient, also where it is exact. 0:2:2 takes "
    "index 0 alone, and 2 // 2 + 1 is 2.",
    _slicing(count=lambda start, stop, step: (stop - start) // step + 1 if stop > start else 0),
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
    "this is what you get if a stop of -1 means the end. It means the last index, and stops there.",
    _slicing(lambda start, stop, n: _python_bounds(start, n if stop == -1 else stop, n)),
)
draft.mistake(
    "this is what you get if start is cut off at the last index. What is too far becomes the size, "
    "one beyond it.",
    _slicing(
        lambda start, stop, n: (
            min(_python_bounds(start, stop, n)[0], max(n - 1, 0)),
            _python_bounds(start, stop, n)[1],
        )
    ),
)


@draft.mistake("this is what you get if a step below 1 is let through. It is a ValueError.")
def _any_step(size: Ints, stride: Ints, offset: int, dim: int, *key: int) -> Any:
    taken = range(size[dim])[slice(*key)]
    return (
        with_dim(size, dim, len(taken)),
        with_dim(stride, dim, stride[dim] * taken.step),
        offset + taken.start * stride[dim],
    )


@draft.mistake(WRAPPED)
def _wraps_dims(size: Ints, stride: Ints, offset: int, dim: int, *key: int) -> Any:
    if key[2] < 1:
        raise ValueError
    return _slicing()(size, stride, offset, dim % len(size), *key)


draft.mistake(
    "this is what you get if bounds outside are wrapped around, such as with %. They are "
    "clamped: what lies too far is cut off at the end.",
    _slicing(_wrapped),
)
EXERCISE = draft.exercise()
