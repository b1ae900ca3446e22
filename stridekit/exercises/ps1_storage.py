"""Assignment ps1: which positions a header reaches, in which order, and how much they need."""

import random
from collections.abc import Iterator
from math import prod
from typing import Any

from stridekit.checks.cases import headers, random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.pictures import LONGEST
from stridekit.checks.returns import LIST_OF_INTS, WHOLE, shown
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw, draw_as_strided
from stridekit.diagrams.scenes.scene import Marks, Section, Slot
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange


def hops(index: Ints, stride: Ints, storage_offset: int) -> str:
    """The way to an index as a sum: 2 + 1·3 + 2·1 = 7. A negative stride has parentheses.

    >>> hops((1, 2), (3, -1), 2)
    '2 + 1·3 + 2·(-1) = 3'
    """
    steps = [f"({step})" if step < 0 else str(step) for step in stride]
    terms = [f"{i}·{step}" for i, step in zip(index, steps, strict=True)]
    target = storage_offset + sum(map(int.__mul__, index, stride))
    sums = " + ".join([str(storage_offset), *terms])
    return f"{sums} = {target}" if terms else sums


def weigh_header(case: Case) -> tuple[Any, ...]:
    """The order of cases that begin with a header: small ones first, but none that hides much.

    With one element, or with a stride of 0, different mistakes look the same, so those cases
    count for more than they are. Positive strides come before negative ones, offset 0 before
    others, and a stride that descends before one that ascends.
    """
    size, stride, storage_offset, *rest = case.arguments
    numel = prod(size)
    cost = 4 * numel if numel == 1 or 0 in stride else numel
    backward = sum(step < 0 for step in stride)
    extent = sum(map(abs, (*size, *stride, *rest)))
    order = tuple(-step for step in stride)
    return numel == 0, cost, len(size), backward, storage_offset, extent, order, size, rest


def _layout_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    yield from headers(small_layouts(2, (0, 1, 2, 3, 5), (0, 2)))
    if hidden:
        small = small_layouts(3, (0, 1, 2, 6), (1,))
        yield from headers(layout for layout in small if layout.ndim == 3)
    most = 200 if hidden else 60
    yield from headers(random_layouts(600 if hidden else 100, chance, (1, 5), most))


def _reading_order(size: Ints, stride: Ints, storage_offset: int) -> list[int]:
    return list(Layout(size, stride, storage_offset).positions())


def _reading_order_rule(size: Ints, stride: Ints, storage_offset: int) -> str:
    if 0 in size:
        return f"a tensor of size {size} has no elements, so there is no position to list: []."
    if not size:
        return (
            "a tensor without dims has one element, with the index (), and it lies at "
            f"storage_offset: [{storage_offset}]."
        )
    layout = Layout(size, stride, storage_offset)
    visits = [f"{i} lies at {layout.position(i)}" for i in layout.indices()]
    rest = f" and so on, {len(visits)} in all" if len(visits) > 6 else ""
    last = ", the last dim fastest" if len(size) > 1 else ""
    return (
        f"list a position for each index, in row-major order of the indices{last}: "
        f"{', '.join(visits[:6])}{rest}."
    )


def _reading_order_picture(case: Case, expected: Plain, _: Plain) -> Diagram | None:
    layout = Layout(*case.arguments)
    if layout.reach is None:
        return None
    memory = arange(layout.reach[1] + 1)
    tensor = memory.as_strided(layout.size, layout.stride, layout.storage_offset)
    scene = draw(tensor, traverse=True, title="reading order").scene
    note = f"The small numbers count the visits. Positions in this order: {shown(expected, 80)}."
    sections = tuple(map(_without_lines, scene.sections))
    alt = scene.alt.removesuffix(scene.notes[-1]) + note
    return Diagram(scene._replace(sections=sections, notes=(note,), alt=alt))


def _without_lines(section: Section) -> Section:
    """Without what a traversal says about cache lines: here only its order counts."""
    grids = tuple(
        grid._replace(cells=tuple(cell._replace(marks=_calm(cell.marks)) for cell in grid.cells))
        for grid in section.grids
    )
    strips = tuple(
        strip._replace(
            line=0,
            slots=tuple(
                slot._replace(marks=_calm(slot.marks)) if isinstance(slot, Slot) else slot
                for slot in strip.slots
            ),
        )
        for strip in section.strips
    )
    return section._replace(grids=grids, strips=strips)


def _calm(marks: Marks) -> Marks:
    return tuple(mark for mark in marks if mark != "switch")


def _storage_order(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return sorted(_reading_order(size, stride, storage_offset))


def _each_once(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return list(dict.fromkeys(_reading_order(size, stride, storage_offset)))


def _without_offset(size: Ints, stride: Ints, _storage_offset: int) -> Any:
    return _reading_order(size, stride, 0)


def _first_dim_fastest(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return _reading_order(size[::-1], stride[::-1], storage_offset)


def _stride_ignored(size: Ints, _stride: Ints, storage_offset: int) -> Any:
    return [storage_offset + flat for flat in range(prod(size))]


READING_ORDER = plain_exercise(
    "reading_order",
    ("size", "stride", "storage_offset"),
    cases=_layout_cases,
    reference=_reading_order,
    returns=LIST_OF_INTS,
    rule=_reading_order_rule,
    picture=_reading_order_picture,
    weigh=weigh_header,
    mistakes=(
        Mistake(
            _storage_order,
            "these are the right positions in storage order. Reading order goes by the index, "
            "so a position may well be smaller than the one before.",
        ),
        Mistake(
            _each_once,
            "this is what you get if every position is listed once. A position that several "
            "indices reach is listed for each of them.",
        ),
        Mistake(_without_offset, "this is what you get if storage_offset is forgotten."),
        Mistake(
            _first_dim_fastest,
            "this is column-major order, where the first dim counts fastest. Here the last does.",
        ),
        Mistake(
            _stride_ignored,
            "this is what you get if the elements are taken to lie one after another. Their "
            "positions are what the stride makes them.",
        ),
    ),
)


def _storage_needed(size: Ints, stride: Ints, storage_offset: int) -> int:
    reach = Layout(size, stride, storage_offset).reach
    return 0 if reach is None else reach[1] + 1


def _storage_needed_rule(size: Ints, stride: Ints, storage_offset: int) -> str:
    if 0 in size:
        return (
            f"a tensor of size {size} has no elements, so it needs no storage, whatever its "
            "storage_offset: 0."
        )
    last = tuple(n - 1 for n in size)
    way = hops(last, stride, storage_offset)
    where = f"at position {way}" if len(way) < 60 else f"at position {way.rpartition(' ')[2]}"
    return (
        f"the element furthest out has the index {last} and lies {where}, and positions count "
        f"from 0: {_storage_needed(size, stride, storage_offset)}."
    )


def _storage_needed_picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    size, stride, storage_offset = case.arguments
    fits = type(yours) is int and 0 <= yours <= LONGEST
    length = yours if fits else expected
    whose = "yours" if fits else "expected"
    title = f"{whose}: a storage of {length}"
    return draw_as_strided(arange(length), size, stride, storage_offset, title=title)


def _numel(size: Ints, *_: Plain) -> Any:
    return prod(size)


def _needed_without_offset(size: Ints, stride: Ints, _storage_offset: int) -> Any:
    return _storage_needed(size, stride, 0)


def _last_position(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return max(_storage_needed(size, stride, storage_offset) - 1, 0)


def _whole_rows(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return storage_offset + max(map(int.__mul__, size, stride), default=1) if prod(size) else 0


def _size_times_stride(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return storage_offset + sum(map(int.__mul__, size, stride)) + 1 if prod(size) else 0


def _empty_walked(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return storage_offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) + 1


def _empty_has_offset(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return _storage_needed(size, stride, storage_offset) if prod(size) else storage_offset


STORAGE_NEEDED = plain_exercise(
    "storage_needed",
    ("size", "stride", "storage_offset"),
    cases=_layout_cases,
    reference=_storage_needed,
    returns=WHOLE,
    rule=_storage_needed_rule,
    picture=_storage_needed_picture,
    weigh=weigh_header,
    mistakes=(
        Mistake(
            _numel,
            "this is the number of elements. It is enough only if they lie one after another "
            "from position 0 on: gaps are storage too.",
        ),
        Mistake(_needed_without_offset, "this is what you get if storage_offset is forgotten."),
        Mistake(
            _last_position,
            "this is the last position itself. Positions count from 0, so the storage is longer "
            "by 1.",
        ),
        Mistake(
            _size_times_stride,
            "this is what you get if size · stride is added in each dim. From the first element "
            "to the last there are size - 1 steps.",
        ),
        Mistake(
            _whole_rows,
            "this is what you get if the longest dim is counted as size · stride. The storage "
            "may end right after the last element.",
        ),
        Mistake(
            _empty_walked,
            "this is what you get if tensors without elements are not treated apart: n - 1 is -1 "
            "for them.",
        ),
        Mistake(
            _empty_has_offset,
            "this is what you get if a tensor without elements still needs its storage_offset.",
        ),
    ),
)
