"""ps3, `contiguity_trace`: the walk that finds out, step by step."""

import random
from collections.abc import Iterable
from typing import Any

from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import TRUTH, WHOLE, Items, NamedParts
from stridekit_course.checks.strategies import layouts
from stridekit_course.exercises import ps3

Item = tuple[Any, ...]


def _cases(hidden: bool, chance: random.Random) -> Given:
    yield from (layout for layout in ps3.walk_cases(hidden, chance) if layout.numel)
    # Numbers of dims with two digits.
    ranks, sizes = range(8, 13), ("twos", "ones", "wide ones")
    yield from layouts(chance, ranks, sizes=sizes, most=ps3.ELEMENTS_MOST, times=1 + hidden)


def _reference(size: Ints, stride: Ints) -> list[Item]:
    return [
        (step.dim, step.stride, step.expected, step.ok)
        for step in ps3.row_major_walk(size, stride)
        if step.ok is not None
    ]


def _rule(size: Ints, stride: Ints) -> str:
    if not size:
        return "rank 0 has no dim to visit, so the list is empty."
    steps = ps3.row_major_walk(size, stride)
    words = ps3.in_words(ps3.WAY, steps)
    if all(step.ok is None for step in steps):
        return f"{words}, and the list is empty."
    if ps3.holds(steps):
        return f"{words}. Each gives one item, with ok True."
    return f"{words}. So its item has ok False, and it ends the list."


def _items(size: Ints, stride: Ints, order: Iterable[int], *, ones: bool = False) -> list[Item]:
    """The items of a walk that does not stop."""
    items = []
    expected = 1
    for dim in order:
        if ones or size[dim] != 1:
            items.append((dim, stride[dim], expected, stride[dim] == expected))
            expected *= size[dim]
    return items


def _to_first_failure(items: list[Item]) -> list[Item]:
    failed = [number for number, item in enumerate(items) if not item[3]]
    return items[: failed[0] + 1] if failed else items


def _products_from_the_left(size: Ints, stride: Ints) -> list[Item]:
    expected = contiguous_stride(size)
    return _to_first_failure(
        [(dim, stride[dim], expected[dim], stride[dim] == expected[dim]) for dim in ps3.kept(size)]
    )


def _numbered_anew(size: Ints, stride: Ints) -> list[Item]:
    others = ps3.kept(size)
    return [(others.index(dim), *rest) for dim, *rest in _reference(size, stride)]


EXERCISE = Exercise(
    "contiguity_trace",
    ("size", "stride"),
    place=2,
    returns=Items(
        list,
        NamedParts((("dim", WHOLE), ("stride", WHOLE), ("expected", WHOLE), ("ok", TRUTH))),
        "tuples (dim, stride, expected, ok)",
    ),
    cases=_cases,
    late=ps3.is_late,
    reference=_reference,
    rule=_rule,
    picture=lambda case, *_: ps3.draw_beside(
        case, "row-major", contiguous_stride(case.arguments[0])
    ),
    known={
        "if the list is turned round. The dim that is visited first comes first.": (
            lambda size, stride: _reference(size, stride)[::-1]
        ),
        "if the dims are visited from the first to the last. "
        "The walk begins at the last dim.": _products_from_the_left,
        "if the walk begins at the first dim. It begins at the last.": (
            lambda size, stride: _to_first_failure(_items(size, stride, range(len(size))))
        ),
        "if dims are numbered from the right. The last dim has the number rank - 1.": (
            lambda size, stride: [
                (len(size) - 1 - dim, *rest) for dim, *rest in _reference(size, stride)
            ]
        ),
        "if the dims of size 1 are taken out before the others are numbered. Each dim keeps its "
        "own number.": _numbered_anew,
        "if the dim that fails is left out. It is the last item.": (
            lambda size, stride: [item for item in _reference(size, stride) if item[3]]
        ),
        "if expected is multiplied before the item is written down.": lambda size, stride: [
            (dim, step, expected * size[dim], ok)
            for dim, step, expected, ok in _reference(size, stride)
        ],
        "if the walk goes on after the first failure.": lambda size, stride: _items(
            size, stride, reversed(range(len(size)))
        ),
        "if dims of size 1 are not skipped.": lambda size, stride: _to_first_failure(
            _items(size, stride, reversed(range(len(size))), ones=True)
        ),
    },
)
