"""The cells of a tensor's grid: which elements are shown, where, each one's address and visit."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice, repeat
from itertools import count as integers
from math import prod
from operator import mul
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import (
    byte_unit,
    count,
    dim_parts,
    header_text,
    value_texts,
)
from stridekit.diagrams.scenes.elision import (
    COLUMNS,
    DimDirection,
    Line,
    places,
    shown_leads,
    shown_lines,
)
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.scene import (
    Block,
    Cell,
    DimLabel,
    Grid,
    Mark,
    Marks,
    Track,
    Way,
    made_of,
)
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
        switches = sum(
            number == 0 or line != lines[number - 1] for number, line in enumerate(lines)
        )
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


# Which elements are shown, and where.


# What a page is wide, in characters of a cell's text.
PAGE = 130
COLUMNS_LEAST = 7
# A block has so many dims; those before lead.
INNER = 4
# A cell that lies outside the storage has no value.
OUTSIDE_TEXT = "×"
UNWRITTEN_TEXT = "?"


class ShownElements(NamedTuple):
    """Which elements of a layout a grid shows, and where each stands.

    The tuples run along the elements. `whole` says that none is left out.
    """

    blocks: tuple[Block, ...]
    in_block: Ints
    in_row: Ints
    in_column: Ints
    indices: tuple[Ints, ...]
    positions: Ints
    whole: bool


class GridDraft(NamedTuple):
    """A tensor, and the elements that its grid shows."""

    member: SectionMember
    shown: ShownElements

    @property
    def positions(self) -> Ints:
        """The position of each shown element."""
        return self.shown.positions


class Asked(NamedTuple):
    """What is asked of a grid's cells, in bytes of the section: marks, and what to write there."""

    values: bool = True
    select: Ints | None = None
    selected: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()
    traversal: Traversal | None = None
    seam: Ints = ()


def draft(
    member: SectionMember, keep: Iterable[Ints], *, values: bool, visited: bool = False
) -> tuple[GridDraft, list[str]]:
    """A tensor's grid before it has fills and marks, and the text of each of its cells.

    It has fewer columns where the texts, or the numbers of visits, are too wide for a page.
    """
    layout, kept = member.subject.layout, tuple(keep)
    made = GridDraft(member, shown_of(layout, kept))
    texts = texts_of(made, values=values)
    columns = len(made.shown.blocks[0].columns) if made.shown.blocks else 0
    longest = max(map(len, texts), default=0)
    if visited:
        longest = max(longest, len(str(layout.numel)) + 5)
    fitting = PAGE // (longest + 2)
    if columns > max(fitting, COLUMNS_LEAST):
        made = GridDraft(member, shown_of(layout, kept, max(fitting, COLUMNS_LEAST)))
        texts = texts_of(made, values=values)
    return made, texts


# A picture is often drawn again with other values, or another element selected.
@lru_cache(maxsize=256)
def shown_of(layout: Layout, keep: tuple[Ints, ...], columns: int = COLUMNS) -> ShownElements:
    """Which elements are shown. Costs what is shown, whatever the tensor's size."""
    if not layout.numel:
        return ShownElements((), (), (), (), (), (), whole=True)
    lines = shown_lines(layout, keep, columns)
    ways = places(layout.ndim)
    by_way: dict[Way, list[int]] = {"lead": [], "down": [], "across": []}
    for dim, place in enumerate(ways):
        by_way[place.way].append(dim)
    rows, across = (
        _tracks([(lines[dim], ways[dim]) for dim in by_way[way]]) for way in ("down", "across")
    )
    leads = shown_leads(layout.size[: len(by_way["lead"])], keep)
    stride = layout.stride
    down_steps, across_steps = ([stride[dim] for dim in by_way[way]] for way in ("down", "across"))
    # A position is a sum, so the parts of rows and columns are worked out once.
    down_parts = [
        (number, track.index, sum(map(mul, track.index, down_steps)))
        for number, track in enumerate(rows)
        if track.index is not None
    ]
    shown = [
        (number, track.index) for number, track in enumerate(across) if track.index is not None
    ]
    numbers = [number for number, _ in shown]
    inner = [index for _, index in shown]
    hops = [sum(map(mul, index, across_steps)) for index in inner]
    blocks: list[Block] = []
    in_block: list[int] = []
    in_row: list[int] = []
    in_column: list[int] = []
    indices: list[Ints] = []
    positions: list[int] = []
    for number, lead in enumerate(leads):
        if lead is None:
            blocks.append(Block("⋯", (), ()))
            continue
        blocks.append(Block(f"[{', '.join(map(str, lead))}, ...]" if lead else "", rows, across))
        start = layout.storage_offset + sum(map(mul, lead, stride))
        for row, outer, down in down_parts:
            begun, base = lead + outer, start + down
            in_block += [number] * len(inner)
            in_row += [row] * len(inner)
            in_column += numbers
            indices += [begun + index for index in inner]
            positions += [base + hop for hop in hops]
    # Tracks hold the indices of every other dim; `order` says which dim each one is of.
    order = [dim for dims in by_way.values() for dim in dims]
    if order != [*range(layout.ndim)]:
        indices = [_in_order(order, index) for index in indices]
    return ShownElements(
        tuple(blocks),
        tuple(in_block),
        tuple(in_row),
        tuple(in_column),
        tuple(indices),
        tuple(positions),
        whole=len(indices) == layout.numel,
    )


def extremes(layout: Layout) -> Iterator[Ints]:
    """The indices of the lowest and the highest address."""
    if layout.numel:
        pairs = [*zip(layout.size, layout.stride, strict=True)]
        yield tuple(n - 1 if step < 0 else 0 for n, step in pairs)
        yield tuple(n - 1 if step > 0 else 0 for n, step in pairs)


def texts_of(made: GridDraft, *, values: bool) -> list[str]:
    """The text of each shown cell: its value, or its position where values are not wanted.

    The value is what the tensor says, also where memory holds something else.
    """
    subject = made.member.subject
    if not values or not subject.readable:
        return [*map(str, made.positions)]
    inside = _inside(made)
    if not inside:
        return [OUTSIDE_TEXT] * len(made.positions)
    read = subject.read(inside)
    texts = value_texts(subject.says(inside, read) if subject.says else read)
    if len(inside) < len(made.positions):
        found = dict(zip(inside, texts, strict=True))
        texts = [found.get(position, OUTSIDE_TEXT) for position in made.positions]
    unwritten = subject.unwritten(inside)
    for number, position in enumerate(made.positions) if unwritten else ():
        if position in unwritten:
            texts[number] = UNWRITTEN_TEXT
    return texts


def grid_of(
    made: GridDraft, texts: list[str], group_at: Callable[[int], int], asked: Asked
) -> Grid:
    """The grid, with texts, fills and marks."""
    member = made.member
    unit, shift, base = member.unit, member.shift, member.shift // member.unit
    marks = _marks(made, asked)
    shown, positions = made.shown, made.shown.positions
    groups: list[int | None] = [group_at(shift + position * unit) for position in positions]
    if any(marks):
        groups = [
            None if "outside" in its_marks else group
            for group, its_marks in zip(groups, marks, strict=True)
        ]
    cells = zip(
        shown.in_block,
        shown.in_row,
        shown.in_column,
        shown.indices,
        [base + position for position in positions] if base else positions,
        texts,
        groups,
        marks,
        [str(asked.traversal.number(index)) for index in shown.indices]
        if asked.traversal
        else repeat("", len(texts)),
        strict=True,
    )
    return Grid(
        member.name,
        header_text(member.subject),
        unit,
        shown.blocks,
        made_of(Cell, cells),
        _dims(member.subject, asked.seam),
        abreast=_abreast(member.subject.layout, len(shown.blocks)),
    )


def _inside(made: GridDraft) -> Ints:
    """The shown positions at which the storage has an element."""
    positions, subject = made.positions, made.member.subject
    end = subject.storage_length - subject.span
    if positions and min(positions) >= 0 and max(positions) <= end:
        return positions
    return tuple(p for p in positions if 0 <= p <= end)


def _abreast(layout: Layout, blocks: int) -> int:
    """How many blocks belong side by side: the last dim's that leads, if none is left out."""
    size = layout.size[: max(layout.ndim - INNER, 0)]
    return size[-1] if len(size) > 1 and prod(size) == blocks else 0


def _marks(made: GridDraft, asked: Asked) -> list[Marks]:
    """The states of each shown element."""
    member, positions = made.member, made.positions
    subject = member.subject
    marks: list[Marks] = [()] * len(positions)

    def mark(name: Mark, which: Iterable[bool]) -> None:
        for number, marked in enumerate(which):
            if marked:
                marks[number] = (*marks[number], name)

    if len(set(positions)) < len(positions):
        first = dict(zip(reversed(positions), reversed(range(len(positions))), strict=True))
        mark("ghost", [first[p] != number for number, p in enumerate(positions)])
    inside = _inside(made)
    if len(inside) < len(positions):
        known = {*inside}
        mark("outside", [p not in known for p in positions])
    if asked.select is not None:
        mark("selected", [index == asked.select for index in made.shown.indices])
    elif asked.selected:
        mark("selected", [member.byte(p) in asked.selected for p in positions])
    if asked.written:
        mark("written", [member.byte(p) in asked.written for p in positions])
    if asked.traversal:
        mark("switch", map(asked.traversal.is_switch, made.shown.indices, positions))
    unwritten = subject.unwritten(inside)
    if unwritten:
        mark("unwritten", [p in unwritten for p in positions])
    return marks


def _in_order(order: list[int], parts: Ints) -> Ints:
    index = [0] * len(parts)
    for dim, i in zip(order, parts, strict=True):
        index[dim] = i
    return tuple(index)


def _tracks(dims: list[tuple[Line, DimDirection]]) -> tuple[Track, ...]:
    """The rows or the columns that some dims make, the first dim outermost, with their gaps."""
    tracks = [Track((), 0)]
    for line, place in dims:
        grown: list[Track] = []
        for track in tracks:
            if track.index is None:
                grown.append(track)
                continue
            for number, i in enumerate(line):
                level = track.level if number == 0 else place.level
                grown.append(Track(None if i is None else (*track.index, i), level))
        tracks = grown
    return tuple(tracks)


def _dims(subject: Subject, seam: Ints) -> tuple[DimLabel, ...]:
    layout = subject.layout
    return _dim_labels(layout, subject.names, byte_unit(subject), seam)


@lru_cache(maxsize=256)
def _dim_labels(
    layout: Layout, names: tuple[str, ...], unit: int, seam: Ints
) -> tuple[DimLabel, ...]:
    return tuple(
        DimLabel(dim, n, step, *place, " · ".join(parts), dim in seam, parts, name)
        for dim, n, step, place, name in zip(
            integers(), layout.size, layout.stride, places(layout.ndim), chain(names, repeat(""))
        )
        for parts in (dim_parts(dim, name, n, step, unit),)
    )
