"""ps3, `contiguity_trace`: the walk that finds out, step by step."""

import random
from collections.abc import Iterable
from typing import Any

from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.cases import weigh_strides
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.returns import TRUTH, WHOLE, Items, NamedParts
from stridekit_course.exercises.ps3 import (
    WAY,
    backwards,
    draw_beside,
    holds,
    in_words,
    kept,
    near,
    row_major_walk,
    walk_cases,
    with_elements,
)

_ITEM = NamedParts((("dim", WHOLE), ("stride", WHOLE), ("expected", WHOLE), ("ok", TRUTH)))
draft = Draft(
    "contiguity_trace",
    ("size", "stride"),
    place=2,
    returns=Items(list, _ITEM, "tuples (dim, stride, expected, ok)"),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    yield from with_elements(walk_cases(hidden, chance))
    # Numbers of dims with two digits.
    for size in ((2, 1, 2, 2, 1, 2, 2, 1, 2, 1, 2, 2), (2, 1, 1, 1, 3, 1, 1, 1, 1, 1, 2, 1)):
        yield from near(size, backwards(size))


@draft.reference
def _reference(size: Ints, stride: Ints) -> Any:
    return [
        (step.dim, step.stride, step.expected, step.ok)
        for step in row_major_walk(size, stride)
        if step.ok is not None
    ]


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    if not size:
        return "rank 0 has no dim to visit, so the list is empty."
    steps = row_major_walk(size, stride)
    words = in_words(WAY, steps)
    if all(step.ok is None for step in steps):
        return f"{words}, and the list is empty."
    if holds(steps):
        return f"{words}. Each gives one item, with ok True."
    return f"{words}. So its item has ok False, and it ends the list."


def _all_items(size: Ints, stride: Ints, order: Iterable[int], *, ones: bool = False) -> Any:
    """The items of a walk that does not stop."""
    items = []
    expected = 1
    for dim in order:
        if ones or size[dim] != 1:
            items.append((dim, stride[dim], expected, stride[dim] == expected))
            expected *= size[dim]
    return items


def _to_first_failure(items: Any) -> Any:
    failed = [number for number, item in enumerate(items) if not item[3]]
    return items[: failed[0] + 1] if failed else items


draft.weigh(weigh_strides)
draft.picture(
    lambda case, *_: draw_beside(case.arguments, "row-major", contiguous_stride(case.arguments[0]))
)


@draft.mistake(
    "this is what you get if the list is turned round. The dim that is visited first comes first."
)
def _dims_ascending(size: Ints, stride: Ints) -> Any:
    return _reference(size, stride)[::-1]


@draft.mistake(
    "this is what you get if the dims are visited from the first to the last. The walk "
    "begins at the last dim."
)
def _products_from_the_left(size: Ints, stride: Ints) -> Any:
    expected = contiguous_stride(size)
    items = [
        (dim, stride[dim], expected[dim], stride[dim] == expected[dim])
        for dim, n in enumerate(size)
        if n != 1
    ]
    return _to_first_failure(items)


@draft.mistake("this is what you get if the walk begins at the first dim. It begins at the last.")
def _starts_left(size: Ints, stride: Ints) -> Any:
    return _to_first_failure(_all_items(size, stride, range(len(size))))


@draft.mistake(
    "this is what you get if dims are numbered from the right. The last dim has the "
    "number rank - 1."
)
def _dims_from_the_right(size: Ints, stride: Ints) -> Any:
    return [(len(size) - 1 - dim, *rest) for dim, *rest in _reference(size, stride)]


@draft.mistake(
    "this is what you get if the dims of size 1 are taken out before the others are numbered. Each "
    "dim keeps its own number."
)
def _numbers_anew(size: Ints, stride: Ints) -> Any:
    others = kept(size)
    return [(others.index(dim), *rest) for dim, *rest in _reference(size, stride)]


@draft.mistake("this is what you get if the dim that fails is left out. It is the last item.")
def _without_the_failure(size: Ints, stride: Ints) -> Any:
    return [item for item in _reference(size, stride) if item[3]]


@draft.mistake("this is what you get if expected is multiplied before the item is written down.")
def _expected_of_the_next(size: Ints, stride: Ints) -> Any:
    return [(dim, step, e * size[dim], ok) for dim, step, e, ok in _reference(size, stride)]


@draft.mistake("this is what you get if the walk goes on after the first failure.")
def _walks_on(size: Ints, stride: Ints) -> Any:
    return _all_items(size, stride, reversed(range(len(size))))


@draft.mistake("this is what you get if dims of size 1 are not skipped.")
def _lists_ones(size: Ints, stride: Ints) -> Any:
    return _to_first_failure(_all_items(size, stride, reversed(range(len(size))), ones=True))


EXERCISE = draft.exercise()
