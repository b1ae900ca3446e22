"""ps5, `writes_per_position`: how many indices reach each position."""

import random
from collections.abc import Iterable
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import LIST_OF_INTS
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps5.overlap import listed_positions, overlap_layouts
from stridekit.layouts.layout import Ints, Layout

draft = Draft(
    "writes_per_position",
    ("size", "stride", "storage_offset", "storage_length"),
    place=6,
    returns=LIST_OF_INTS,
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


@draft.reference
def _reference(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Plain:
    counts = [0] * storage_length
    for position in Layout(size, stride, storage_offset).positions():
        counts[position] += 1
    return counts


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> str:
    items = f"the list has storage_length = {storage_length} items"
    if 0 in size:
        return f"without elements there is no index to count: {items}, all of them 0."
    reached = "position" if prod(size) == 1 else "positions"
    positions = listed_positions(Layout(size, stride, storage_offset).positions())
    return (
        f"counted from storage_offset {storage_offset}, the indices reach {reached} {positions}, "
        f"in reading order; {items}, how often each position is reached."
    )


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    size, stride, storage_offset, storage_length = case.arguments
    return draw_headers({"given": (size, stride, storage_offset)}, length=storage_length)


def _counted(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> list[int]:
    return list(_reference(size, stride, storage_offset, storage_length))


@draft.mistake("this is what you get if storage_offset is forgotten: every index begins there.")
def _writes_no_offset(size: Ints, stride: Ints, _storage_offset: int, storage_length: int) -> Any:
    return _reference(size, stride, 0, storage_length)


@draft.mistake(
    "this is what you get if the list begins at storage_offset. It begins at position 0."
)
def _writes_from_offset(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return _counted(size, stride, storage_offset, storage_length)[storage_offset:]


@draft.mistake(
    "this is what you get if the list ends with the last position that is reached. It "
    "has storage_length items."
)
def _writes_no_room(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    counts = _counted(size, stride, storage_offset, storage_length)
    while counts and counts[-1] == 0:
        counts.pop()
    return counts


@draft.mistake("this is what you get if a position is only marked as reached. Count the indices.")
def _writes_reached(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return [min(n, 1) for n in _counted(size, stride, storage_offset, storage_length)]


@draft.mistake("this is what you get if the strides are taken in reverse.")
def _writes_reversed(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return _reference(size, stride[::-1], storage_offset, storage_length)


@draft.mistake(
    "this is what you get if there is one number for each index. There is one for each "
    "storage position."
)
def _writes_per_index(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    counts = _counted(size, stride, storage_offset, storage_length)
    return [counts[position] for position in Layout(size, stride, storage_offset).positions()]


EXERCISE = draft.exercise()
