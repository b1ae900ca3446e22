"""The cells of a tensor's grid: which elements are shown, where, each one's address and visit."""

from collections.abc import Callable
from itertools import groupby, islice
from math import prod
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import (
    byte_unit,
    count,
    dim_name,
    dim_parts,
    header_text,
    value_texts,
)
from stridekit.diagrams.scenes.elision import COLUMNS, ShownElements, places, shown_elements
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.notation import LONGEST, told_alike
from stridekit.diagrams.scenes.scene import Cell, DimLabel, Grid, Mark, Marks
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.interop import Subject

CACHE_LINE = 64
# Line switches are counted over so many visits.
VISITS_MOST = 10_000


class Traversal(NamedTuple):
    """Loops over a tensor's dims, `order` from the outermost to the innermost.

    Lines are `line` bytes long and counted from the start of the memory, as if it began on one;
    the storage begins `shift` bytes into it.
    """

    layout: Layout
    order: Ints
    itemsize: int
    line: int
    shift: int = 0

    def number(self, index: Ints) -> int:
        """Which visit an element is, from 0 on."""
        number = 0
        for dim in self.order:
            number = number * self.layout.size[dim] + index[dim]
        return number

    def is_switch(self, index: Ints, position: int) -> bool:
        """Whether the visit before the one of an index was on another line, or there was none."""
        before = self._before(index, position)
        return before is None or self._line_of(before) != self._line_of(position)

    def _before(self, index: Ints, position: int) -> int | None:
        """The position that is visited before the one of an index."""
        for dim in reversed(self.order):
            stride = self.layout.stride[dim]
            if index[dim]:
                return position - stride
            position += (self.layout.size[dim] - 1) * stride
        return None

    def _line_of(self, position: int) -> int:
        return (self.shift + position * self.itemsize) // self.line

    def note(self) -> str:
        """The count of visits, line switches and lines, in a sentence."""
        layout = self.layout
        walked = Layout(
            tuple(layout.size[dim] for dim in self.order),
            tuple(layout.stride[dim] for dim in self.order),
            layout.storage_offset,
        )
        lines = [*map(self._line_of, islice(walked.positions(), VISITS_MOST))]
        switches = len([*groupby(lines)])
        visits = count(len(lines), "visit")
        if prod(layout.size) > VISITS_MOST:
            visits = f"The first {visits}"
        loops = f"dim {self.order[-1]} innermost" if len(self.order) > 1 else "in order"
        return (
            f"{visits}, {loops}: {count(switches, 'line switch', 'line switches')}, the first "
            "visit included, over "
            f"{count(len(set(lines)), 'cache line')} of {self.line} bytes "
            f"({count(self.line // self.itemsize, 'element')} each), "
            "if the storage begins on a line."
        )


# So many tensors have a line under the strip.
LANES_MOST = 4
# What a page is wide, in characters of a cell's text.
PAGE = 130
COLUMNS_LEAST = 7
# A block has so many dims; those before lead.
INNER = 4
# A cell that lies outside the storage has no value.
OUTSIDE_TEXT = "×"
UNWRITTEN_TEXT = "?"


class GridDraft(NamedTuple):
    """A tensor, the elements that its grid shows, their positions, and the text of each.

    Texts are `short` where others would not fit, and exact where they are `floats`.
    """

    member: SectionMember
    shown: ShownElements
    positions: list[int]
    texts: list[str]
    floats: bool
    short: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether no element is left out."""
        return len(self.positions) == self.member.subject.layout.numel


class Asked(NamedTuple):
    """What is asked of a section, in bytes of it.

    `select` is an index, and `selected` where it leads; `beside` are bytes that the strips show
    too, and at those that are `needed` a step would have to end. `byte_strip` shows each byte. So
    many tensors have `lanes`.
    """

    values: bool = True
    select: Ints | None = None
    selected: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    needed: frozenset[int] = frozenset()
    traversal: Traversal | None = None
    seam: Ints = ()
    byte_strip: bool = False
    lanes: int = LANES_MOST


def draft(member: SectionMember, keep: tuple[Ints, ...], asked: Asked) -> GridDraft:
    """A tensor's grid before it has fills and marks; elements at `keep` are among those shown.

    Where the texts, or the numbers of visits, are too wide for a page, complex numbers are told
    shorter; it has fewer columns where they still are.
    """
    made = _draft(member, keep, COLUMNS, values=asked.values)
    if (fitting := _fitting(made, asked)) and "complex" in member.subject.dtype:
        made = _draft(member, keep, COLUMNS, values=asked.values, short=True)
        fitting = _fitting(made, asked)
    if fitting:
        made = _draft(member, keep, fitting, values=asked.values, short=made.short)
    return made


def _fitting(made: GridDraft, asked: Asked) -> int:
    """How many columns fit a page; 0 if all do."""
    blocks, texts = made.shown.blocks, made.texts
    columns = len(blocks[0].columns) if blocks else 0
    if made.floats and columns > PAGE // (LONGEST + 2):
        told = told_alike(texts)
        texts = [told.get(text, text) for text in texts]
    longest = max(map(len, texts), default=0)
    if made.floats:
        longest = min(longest, LONGEST)
    if asked.traversal:
        longest = max(longest, len(str(made.member.subject.layout.numel)) + 5)
    fitting = max(PAGE // (longest + 2), COLUMNS_LEAST)
    return fitting if columns > fitting else 0


def _draft(
    member: SectionMember,
    keep: tuple[Ints, ...],
    columns: int,
    *,
    values: bool,
    short: bool = False,
) -> GridDraft:
    shown = shown_elements(member.subject.layout, keep, columns)
    positions = [element.position for element in shown.elements]
    texts, floats = _texts(member.subject, positions, values=values, short=short)
    return GridDraft(member, shown, positions, texts, floats, short)


def extremes(layout: Layout) -> tuple[Ints, ...]:
    """The indices of the lowest and the highest address."""
    if not layout.numel:
        return ()
    pairs = [*zip(layout.size, layout.stride, strict=True)]
    return (
        tuple(n - 1 if step < 0 else 0 for n, step in pairs),
        tuple(n - 1 if step > 0 else 0 for n, step in pairs),
    )


def _texts(
    subject: Subject, positions: list[int], *, values: bool, short: bool
) -> tuple[list[str], bool]:
    """The text at each position: its value, or the position where values are not wanted.

    The value is what the tensor says, also where memory holds something else. And whether values
    are floats.
    """
    if not values or not subject.readable:
        return [*map(str, positions)], False
    inside = _inside(subject, positions)
    read = subject.read(inside) if inside else []
    said = subject.says(inside, read) if subject.says else read
    texts, floats = value_texts(said, short=short)
    unwritten = subject.unwritten(inside)
    if len(inside) == len(positions) and not unwritten:
        return texts, floats
    found = dict(zip(inside, texts, strict=True)) | dict.fromkeys(unwritten, UNWRITTEN_TEXT)
    return [found.get(position, OUTSIDE_TEXT) for position in positions], floats


def _inside(subject: Subject, positions: list[int]) -> list[int]:
    """Those positions at which the storage has an element."""
    end = subject.storage_length - subject.span
    if positions and min(positions) >= 0 and max(positions) <= end:
        return positions
    return [position for position in positions if 0 <= position <= end]


def grid_of(made: GridDraft, group_at: Callable[[int], int], asked: Asked) -> Grid:
    """The grid, with fills and marks."""
    member, subject = made.member, made.member.subject
    unit, shift, base = member.unit, member.shift, member.shift // member.unit
    elements, blocks = made.shown.elements, made.shown.blocks
    marks: list[Marks] = [()] * len(elements)
    if tests := _tests(made, asked):
        marks = [
            tuple(mark for mark, holds in tests if holds(element.index, element.position))
            for element in elements
        ]
    visits = [""] * len(elements)
    if asked.traversal:
        visits = [str(asked.traversal.number(element.index)) for element in elements]
    cells = [
        (block, row, column, index, position + base, text,
         None if "outside" in states else group_at(shift + position * unit), states, visit)
        for (block, row, column, index, position), text, states, visit
        in zip(elements, made.texts, marks, visits, strict=True)
    ]  # fmt: skip
    return Grid(
        member.name,
        header_text(subject),
        member.unit,
        blocks,
        # Three times as quick as one call for each.
        tuple(map(Cell._make, cells)),
        _dim_labels(subject, asked.seam),
        abreast=_abreast(subject.layout, len(blocks)),
        floats=made.floats,
    )


Test = tuple[Mark, Callable[[Ints, int], bool]]


def _tests(made: GridDraft, asked: Asked) -> list[Test]:
    """The states that some of the shown elements may have, and which have each."""
    member, positions = made.member, made.positions
    tests: list[Test] = []
    if len(set(positions)) < len(positions):
        seen: set[int] = set()

        def is_again(_: Ints, position: int) -> bool:
            known = position in seen
            seen.add(position)
            return known

        tests.append(("ghost", is_again))
    inside = _inside(member.subject, positions)
    if len(inside) < len(positions):
        known = {*inside}
        tests.append(("outside", lambda _, p: p not in known))
    if asked.select is not None:
        tests.append(("selected", lambda index, _: index == asked.select))
    elif asked.selected:
        tests.append(("selected", lambda _, p: member.byte(p) in asked.selected))
    if asked.written:
        tests.append(("written", lambda _, p: member.byte(p) in asked.written))
    if asked.traversal:
        tests.append(("switch", asked.traversal.is_switch))
    if unwritten := member.subject.unwritten(inside):
        tests.append(("unwritten", lambda _, p: p in unwritten))
    return tests


def _abreast(layout: Layout, blocks: int) -> int:
    """How many blocks belong side by side: the last dim's that leads, if none is left out."""
    size = layout.size[: max(layout.ndim - INNER, 0)]
    return size[-1] if len(size) > 1 and prod(size) == blocks else 0


def _dim_labels(subject: Subject, seam: Ints) -> tuple[DimLabel, ...]:
    layout, labels = subject.layout, []
    directions = places(layout.ndim)
    for dim, (n, step) in enumerate(zip(layout.size, layout.stride, strict=True)):
        name = dim_name(subject, dim)
        parts = dim_parts(dim, name, n, step, byte_unit(subject))
        labels.append(DimLabel(dim, n, step, *directions[dim], parts, name, dim in seam))
    return tuple(labels)
