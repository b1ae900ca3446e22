"""ps3, `contiguity_trace`: the walk that finds out, step by step."""

import random
from typing import Any

from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.exercise import Exercise, Given, variants
from stridekit_course.checks.returns import TRUTH, WHOLE, items, named_parts
from stridekit_course.checks.strategies import layouts
from stridekit_course.exercises import ps3

_STEPS = ("packed", "gap", "odd", "repeats", "overlaps", "expanded")


def _cases(hidden: bool, chance: random.Random) -> Given:
    yield from (layout for layout in ps3.walk_cases(hidden, chance) if layout.numel)
    # Numbers of dims with two digits.
    options = {"sizes": ("twos", "ones", "wide ones"), "steps": _STEPS}
    ranks, times = range(8, 13), 1 + hidden
    yield from layouts(chance, ranks, most=ps3.ELEMENTS_MOST, times=times, **options)


def _reference(size: Ints, stride: Ints) -> list[tuple[Any, ...]]:
    items, expected = [], 1
    for dim in reversed(range(len(size))):
        if size[dim] == 1:
            continue
        items.append((dim, stride[dim], expected, stride[dim] == expected))
        if stride[dim] != expected:
            break
        expected *= size[dim]
    return items


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


_but = variants(_reference)


EXERCISE = Exercise(
    "contiguity_trace",
    ("size", "stride"),
    place=2,
    returns=items(
        list,
        named_parts(dim=WHOLE, stride=WHOLE, expected=WHOLE, ok=TRUTH),
        "tuples (dim, stride, expected, ok)",
    ),
    reordered=("size", "stride"),
    cases=_cases,
    late=ps3.is_late,
    reference=_reference,
    rule=_rule,
    picture=ps3.beside("row-major", lambda size, _: contiguous_stride(size)),
    known={
        "if the list is turned round. The dim that is visited first comes first.": _but(
            "return items", "return items[::-1]"
        ),
        "if the dims are visited from the first to the last. "
        "The walk begins at the last dim.": _but(
            "reversed(range(len(size)))",
            "range(len(size))",
            "        items",
            "        expected = contiguous_stride(size)[dim]\n        items",
        ),
        "if the walk begins at the first dim. It begins at the last.": _but(
            "reversed(range(len(size)))", "range(len(size))"
        ),
        "if dims are numbered from the right. The last dim has the number rank - 1.": _but(
            "((dim", "((len(size) - 1 - dim"
        ),
        "if the dims of size 1 are taken out before the others are numbered. Each dim keeps its "
        "own number.": _but("((dim", "((sum(n != 1 for n in size[:dim])"),
        "if the dim that fails is left out. It is the last item.": _but(
            "return items", "return [item for item in items if item[3]]"
        ),
        "if expected is multiplied before the item is written down.": _but(
            "expected, stride", "expected * size[dim], stride"
        ),
        "if the walk goes on after the first failure.": _but("break", "pass"),
        "if dims of size 1 are not skipped.": _but("size[dim] == 1", "False"),
    },
)
