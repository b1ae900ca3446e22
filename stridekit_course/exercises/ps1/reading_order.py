"""ps1, `reading_order`: the positions in the order in which reading visits them."""

from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw
from stridekit.diagrams.scenes.scene import Marks, Section, Slot
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.returns import LIST_OF_INTS, shown
from stridekit_course.exercises.ps1 import header_cases, weigh_header

draft = Draft("reading_order", ("size", "stride", "storage_offset"), place=5, returns=LIST_OF_INTS)


@draft.reference
def _reference(size: Ints, stride: Ints, storage_offset: int) -> list[int]:
    return list(Layout(size, stride, storage_offset).positions())


# A rule tells of so many characters of visits.
_TOLD_MOST = 110


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int) -> str:
    if 0 in size:
        return f"a tensor of size {size} has no elements, so there is no position to list: []."
    if not size:
        return (
            "a tensor without dims has one element, with the index (), and it lies at "
            f"storage_offset: [{storage_offset}]."
        )
    layout = Layout(size, stride, storage_offset)
    visits = [f"{i} lies at {layout.position(i)}" for i in layout.indices()]
    told = max(2, _TOLD_MOST // len(visits[0]))
    rest = f" and so on, {len(visits)} in all" if len(visits) > told else ""
    last = ", the last dim fastest" if len(size) > 1 else ""
    return (
        f"list a position for each index, in row-major order of the indices{last}: "
        f"{', '.join(visits[:told])}{rest}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, _: Plain) -> Diagram | None:
    layout = Layout(*case.arguments)
    if layout.reach is None:
        return None
    memory = arange(layout.reach[1] + 1)
    tensor = memory.as_strided(layout.size, layout.stride, layout.storage_offset)
    scene = draw(tensor, traverse=True, title="reading order").scene
    note = f"The small numbers count the visits. Positions in this order: {shown(expected, 80)}."
    sections = tuple(map(_without_lines, scene.sections))
    alt = note + scene.alt.removeprefix(scene.notes[-1])
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


draft.cases(header_cases)
draft.weigh(weigh_header)


@draft.mistake(
    "these are the right positions in storage order. Reading order goes by the index, "
    "so a position may well be smaller than the one before."
)
def _storage_order(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return sorted(_reference(size, stride, storage_offset))


@draft.mistake(
    "this is what you get if every position is listed once. A position that several "
    "indices reach is listed for each of them."
)
def _each_once(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return list(dict.fromkeys(_reference(size, stride, storage_offset)))


@draft.mistake("this is what you get if storage_offset is forgotten.")
def _without_offset(size: Ints, stride: Ints, _storage_offset: int) -> Any:
    return _reference(size, stride, 0)


@draft.mistake(
    "this is column-major order, where the first dim counts fastest. Here the last does."
)
def _first_dim_fastest(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return _reference(size[::-1], stride[::-1], storage_offset)


@draft.mistake(
    "this is what you get if the elements are taken to lie one after another. Their "
    "positions are what the stride makes them."
)
def _stride_ignored(size: Ints, _stride: Ints, storage_offset: int) -> Any:
    return [storage_offset + flat for flat in range(prod(size))]


@draft.mistake("this is what you get if a size of 0 counts as 1. It does so in strides alone.")
def _zero_as_one(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return _reference(tuple(max(n, 1) for n in size), stride, storage_offset)


EXERCISE = draft.exercise()
