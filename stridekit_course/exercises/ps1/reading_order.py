"""ps1, `reading_order`: the positions in the order in which reading visits them."""

from math import prod

from stridekit.diagrams import Diagram, draw
from stridekit.diagrams.scenes.scene import Marks, Section
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Argument, Outcome, Plain
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import LIST_OF_INTS, shown
from stridekit_course.exercises.ps1 import header_cases, is_late


def _reference(size: Ints, stride: Ints, storage_offset: int) -> list[int]:
    return list(Layout(size, stride, storage_offset).positions())


# A rule tells of so many characters of visits.
_TOLD_MOST = 110


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


def _picture(expected: Plain, _: Outcome, *header: Argument) -> Diagram | None:
    layout = Layout(*header)
    if not layout.numel:
        return None
    tensor = arange(layout.needed).as_strided(*header)
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
            line=0, slots=tuple(slot._replace(marks=_calm(slot.marks)) for slot in strip.slots)
        )
        for strip in section.strips
    )
    return section._replace(grids=grids, strips=strips)


def _calm(marks: Marks) -> Marks:
    return tuple(mark for mark in marks if mark != "switch")


EXERCISE = Exercise(
    "reading_order",
    ("size", "stride", "storage_offset"),
    place=5,
    returns=LIST_OF_INTS,
    reordered=("size", "stride"),
    cases=header_cases,
    late=is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "these are the right positions in storage order. Reading order goes by the index, so a "
        "position may well be smaller than the one before.": lambda *header: sorted(
            _reference(*header)
        ),
        "if every position is listed once. A position that several indices reach is listed for "
        "each of them.": lambda *header: list(dict.fromkeys(_reference(*header))),
        "if storage_offset is forgotten.": lambda size, stride, _: _reference(size, stride, 0),
        "this is column-major order, where the first dim "
        "runs fastest. Here the last does.": lambda size, stride, offset: _reference(
            size[::-1], stride[::-1], offset
        ),
        "if the elements are taken to lie one after another. Their positions are what the stride "
        "makes them.": lambda size, _, offset: [offset + flat for flat in range(prod(size))],
        "if a size of 0 counts as 1. It does so in strides alone.": lambda size, stride, offset: (
            _reference(tuple(max(n, 1) for n in size), stride, offset)
        ),
    },
)
