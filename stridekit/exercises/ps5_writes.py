"""Assignment ps5, writes: writes_per_position and inplace_verdict."""

import random
from collections.abc import Iterable
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import LIST_OF_INTS, Word
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw_change
from stridekit.exercises.ps5_overlap import (
    apart,
    listed_positions,
    meeting,
    not_nested,
    only_zero,
    overlap_cases,
    overlap_layouts,
    overlaps,
    zero_repeats,
)
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange

# writes_per_position


def _writes_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in small_layouts(2, (0, 1, 2, 3), (0, 2)):
        for room in (0, 2):
            yield _in_storage(layout, room)
    if hidden:
        for layout in small_layouts(3, (0, 1, 4), (1,)):
            if layout.ndim == 3:
                yield _in_storage(layout, (0, 1, 4)[sum(layout.stride) % 3])
    for layout in overlap_layouts(hidden=False, chance=chance):
        if layout.ndim > 2:
            moved = Layout(layout.size, layout.stride, (0, 1, 4)[sum(layout.size) % 3])
            yield _in_storage(moved, (0, 0, 1, 5)[sum(layout.stride) % 4])
    for layout in random_layouts(200 if hidden else 50, chance, (2, 4), 120):
        yield _in_storage(layout, chance.choice((0, 0, 1, 5)))


def _in_storage(layout: Layout, room: int) -> Arguments:
    """The layout in the storage that it needs, and so many positions more."""
    needed = 0 if layout.reach is None else layout.reach[1] + 1
    return layout.size, layout.stride, layout.storage_offset, needed + room


def _writes_reference(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Plain:
    counts = [0] * storage_length
    for position in Layout(size, stride, storage_offset).positions():
        counts[position] += 1
    return counts


def _writes_rule(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> str:
    items = f"the list has storage_length = {storage_length} items"
    if 0 in size:
        return f"without elements there is no index to count: {items}, all of them 0."
    reached = "position" if prod(size) == 1 else "positions"
    positions = listed_positions(Layout(size, stride, storage_offset).positions())
    return (
        f"counted from storage_offset {storage_offset}, the indices reach {reached} {positions}, "
        f"in reading order; {items}, how often each position is reached."
    )


def _writes_picture(case: Case, *_: Plain) -> Diagram | None:
    size, stride, storage_offset, storage_length = case.arguments
    return draw_headers({"given": (size, stride, storage_offset)}, length=storage_length)


def _writes_no_offset(size: Ints, stride: Ints, _storage_offset: int, storage_length: int) -> Any:
    return _writes_reference(size, stride, 0, storage_length)


def _writes_reached(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return [min(n, 1) for n in _counted(size, stride, storage_offset, storage_length)]


def _writes_no_room(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    counts = _counted(size, stride, storage_offset, storage_length)
    while counts and counts[-1] == 0:
        counts.pop()
    return counts


def _writes_from_offset(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return _counted(size, stride, storage_offset, storage_length)[storage_offset:]


def _writes_reversed(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return _writes_reference(size, stride[::-1], storage_offset, storage_length)


def _writes_per_index(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    counts = _counted(size, stride, storage_offset, storage_length)
    return [counts[position] for position in Layout(size, stride, storage_offset).positions()]


def _counted(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> list[int]:
    return list(_writes_reference(size, stride, storage_offset, storage_length))


WRITES_PER_POSITION = plain_exercise(
    "writes_per_position",
    ("size", "stride", "storage_offset", "storage_length"),
    cases=_writes_cases,
    reference=_writes_reference,
    returns=LIST_OF_INTS,
    rule=_writes_rule,
    picture=_writes_picture,
    mistakes=(
        Mistake(
            _writes_no_offset,
            "this is what you get if storage_offset is forgotten: every index begins there.",
        ),
        Mistake(
            _writes_from_offset,
            "this is what you get if the list begins at storage_offset. It begins at position 0.",
        ),
        Mistake(
            _writes_no_room,
            "this is what you get if the list ends with the last position that is reached. It "
            "has storage_length items.",
        ),
        Mistake(
            _writes_reached,
            "this is what you get if a position is only marked as reached. Count the indices.",
        ),
        Mistake(_writes_reversed, "this is what you get if the strides are taken in reverse."),
        Mistake(
            _writes_per_index,
            "this is what you get if there is one number for each index. There is one for each "
            "storage position.",
        ),
    ),
)

# inplace_verdict


def _verdict_reference(size: Ints, stride: Ints) -> str:
    if prod(size) and zero_repeats(size, stride):
        return "refused"
    return "silent" if overlaps(size, stride) else "safe"


def _verdict_rule(size: Ints, stride: Ints) -> str:
    verdict = _verdict_reference(size, stride)
    if 0 in size:
        return "without elements nothing is written, and torch has nothing to refuse."
    if verdict == "safe":
        return f"nothing is written twice: {apart(size, stride)}"
    if verdict == "refused":
        dim = next(d for d, n in enumerate(size) if n > 1 and stride[d] == 0)
        return (
            "torch refuses to write where a dim of size above 1 has stride 0, and dim "
            f"{dim} has size {size[dim]} and stride 0."
        )
    return (
        f"{meeting(size, stride)}, which is written twice; torch looks for nothing but stride 0 "
        "on a dim of size above 1, and finds none."
    )


def _verdict_picture(case: Case, expected: Plain, _: Plain) -> Diagram | None:
    size, stride = case.arguments
    given = draw_headers({"given": (size, stride, 0)})
    if expected == "refused" or given is None or 0 in size:
        return given
    reach = Layout(size, stride).reach
    assert reach is not None
    tensor = arange(reach[1] + 1).as_strided(size, stride)
    return draw_change({"given": tensor}, lambda given: given.add_(1), title="add_(1)")


def _always_refused(size: Ints, stride: Ints) -> Any:
    return "refused" if overlaps(size, stride) else "safe"


def _never_silent(size: Ints, stride: Ints) -> Any:
    return "refused" if only_zero(size, stride) else "safe"


def _never_refused(size: Ints, stride: Ints) -> Any:
    return "silent" if overlaps(size, stride) else "safe"


def _ones_refused(size: Ints, stride: Ints) -> Any:
    if prod(size) and 0 in stride:
        return "refused"
    return "silent" if overlaps(size, stride) else "safe"


def _ones_and_empty_refused(size: Ints, stride: Ints) -> Any:
    if 0 in stride:
        return "refused"
    return "silent" if overlaps(size, stride) else "safe"


def _empty_refused(size: Ints, stride: Ints) -> Any:
    if zero_repeats(size, stride):
        return "refused"
    return "silent" if overlaps(size, stride) else "safe"


def _quick_silent(size: Ints, stride: Ints) -> Any:
    if only_zero(size, stride):
        return "refused"
    return "silent" if not_nested(size, stride) else "safe"


_ONES_REFUSED = (
    "this is what you get if every stride 0 is refused. On a dim of size 1 it repeats nothing, "
    "and torch lets it pass."
)

INPLACE_VERDICT = plain_exercise(
    "inplace_verdict",
    ("size", "stride"),
    cases=overlap_cases,
    reference=_verdict_reference,
    returns=Word(("safe", "refused", "silent")),
    rule=_verdict_rule,
    picture=_verdict_picture,
    mistakes=(
        Mistake(
            _always_refused,
            "this is what you get if torch is thought to refuse every overlap. It only looks "
            "for stride 0.",
        ),
        Mistake(
            _never_silent,
            "this is what you get if all that torch lets pass is taken for safe.",
        ),
        Mistake(_ones_refused, _ONES_REFUSED),
        Mistake(_ones_and_empty_refused, _ONES_REFUSED),
        Mistake(
            _empty_refused,
            "this is what you get if torch is thought to refuse a tensor without elements.",
        ),
        Mistake(_never_refused, "this is what you get if torch is thought to refuse nothing."),
        Mistake(
            _quick_silent,
            "this is what you get if every stride has to clear all the smaller dims. Strides can "
            "interleave, and meet nowhere.",
        ),
    ),
)
