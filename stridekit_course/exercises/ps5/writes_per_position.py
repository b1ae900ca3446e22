"""ps5, `writes_per_position`: how many indices reach each position."""

import random
from dataclasses import replace
from itertools import product
from math import prod

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Argument
from stridekit_course.checks.exercise import Arguments, Exercise, Given
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import LIST_OF_INTS, listed
from stridekit_course.checks.strategies import RUN_TOGETHER, small_layouts
from stridekit_course.exercises.ps5 import overlap_layouts, random_overlaps

# A tensor's storage_offset, and what lies behind its last position.
_OFFSETS, _ROOMS = (0, 1, 12, 300), (0, 0, 1, 5)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 7 dims and 300 elements, in a storage of at most 1,000."""
    for layout, offset, room in product(small_layouts(1, (0, 1, 3)), (0, 2), (0, 2)):
        yield _in_storage(layout, offset, room)
    for n, layout in enumerate(small_layouts(2, (0, 1, 2, 3) if hidden else (0, 1, 3))):
        for offset, room in ((0, 2), (2, 0)) if hidden else (((0, 2), (2, 0))[n % 2],):
            yield _in_storage(layout, offset, room)
    for size in ((0,), (2, 0), (0, 0, 3), (5, 1, 0, 2)):
        for offset, length in ((0, 0), (0, 3), (3, 0), (5, 5), (1000, 2)):
            yield size, contiguous_stride(size), offset, length
    yield from (((), (), offset, length) for offset, length in ((0, 12), (7, 300), (999, 1000)))
    yield from ((each, 125) for each in RUN_TOGETHER)
    # The same numbers in another order.
    orders = ((2, 3, 4), (4, 3, 2), (3, 2, 4)), ((1, 4, 9), (9, 4, 1), (4, 1, 9))
    yield from ((size, stride, 2, 50) for size, stride in product(*orders))
    yield from (_in_storage(Layout((n,), (0,)), 2, 1) for n in (12, 300))
    larger = [each for each in overlap_layouts(hidden=False, chance=chance) if each.ndim > 2]
    for layout in (*larger, *random_overlaps(300 if hidden else 10, chance)):
        if layout.needed <= 690 and layout.numel <= 300:
            count = sum(layout.size)
            yield _in_storage(layout, _OFFSETS[count % 4], _ROOMS[count // 4 % 4])


def _in_storage(layout: Layout, offset: int, room: int) -> Arguments:
    """The layout from there on, in the storage that it needs, and so many positions more."""
    moved = replace(layout, storage_offset=offset)
    return moved, moved.needed + room


def _is_late(
    size: Ints, stride: Ints, storage_offset: int, storage_length: int
) -> tuple[object, ...]:
    """Short lists first, and of those the ones with different numbers, not all at the front."""
    small = max(size, default=1) < 2 or storage_offset == 0 or 0 in stride
    return storage_length > 20, small


def _reference(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> list[int]:
    counts = [0] * storage_length
    for position in Layout(size, stride, storage_offset).positions():
        counts[position] += 1
    return counts


def _rule(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> str:
    items = f"the list has storage_length = {storage_length} items"
    if 0 in size:
        return f"without elements there is no index to count: {items}, all of them 0."
    reached = "position" if prod(size) == 1 else "positions"
    positions = listed(Layout(size, stride, storage_offset).positions())
    return (
        f"counted from storage_offset {storage_offset}, the indices reach {reached} {positions}, "
        f"in reading order; {items}, how often each position is reached."
    )


def _picture(_: object, __: object, *arguments: Argument) -> Diagram | None:
    *header, length = arguments
    return draw_headers({"given": (*header,)}, length=length)


EXERCISE = Exercise(
    "writes_per_position",
    ("size", "stride", "storage_offset", "storage_length"),
    place=6,
    returns=LIST_OF_INTS,
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if storage_offset is forgotten: every index begins there.": (
            lambda size, stride, _, length: _reference(size, stride, 0, length)
        ),
        "if the list begins at storage_offset. It begins at position 0.": (
            lambda size, stride, offset, length: _reference(size, stride, offset, length)[offset:]
        ),
        "if the list ends with the last position that is "
        "reached. It has storage_length items.": lambda size, stride, offset, _: _reference(
            size, stride, offset, Layout(size, stride, offset).needed
        ),
        "if a position is only marked as reached. Count the indices.": lambda *header: [
            min(n, 1) for n in _reference(*header)
        ],
        "if the strides are taken in reverse.": lambda size, stride, *rest: _reference(
            size, stride[::-1], *rest
        ),
        "if there is one number for each index. There is "
        "one for each storage position.": lambda *header: [
            _reference(*header)[at] for at in Layout(*header[:3]).positions()
        ],
    },
)
