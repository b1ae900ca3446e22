"""A tensor's grid: which elements it shows, where each stands, and the address of each."""

from collections.abc import Callable, Iterable, Iterator
from operator import mul
from typing import NamedTuple

from stridekit.diagrams.elision import COLUMNS, Line, Place, places, shown_leads, shown_lines
from stridekit.diagrams.memory import Member
from stridekit.diagrams.scene import Block, Cell, DimLabel, Grid, Mark, Marks, Track, Way
from stridekit.diagrams.traversal import Traversal
from stridekit.diagrams.words import dim_text, header_text, value_text
from stridekit.layout import Ints, Layout

# What a page is wide, in characters of a cell's text.
PAGE = 130
# A cell that lies outside the storage has no value.
OUTSIDE_TEXT = "×"
UNWRITTEN_TEXT = "?"


class Draft(NamedTuple):
    """A grid before its cells have texts: for each shown element its place and position.

    `at` holds block, row, column and index. `whole` says that no element is left out.
    """

    member: Member
    blocks: tuple[Block, ...]
    at: list[tuple[int, int, int, Ints]]
    positions: list[int]
    whole: bool


class Asked(NamedTuple):
    """What is asked of a grid's cells, in bytes of the section: marks, and what to write there."""

    values: bool = True
    select: Ints | None = None
    selected: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()
    traversal: Traversal | None = None
    seam: Ints = ()


def draft(member: Member, keep: Iterable[Ints], *, columns: int = COLUMNS) -> Draft:
    """Which elements a tensor's grid shows. Costs what is shown, whatever the tensor's size."""
    layout = member.subject.layout
    if not layout.numel:
        return Draft(member, (), [], [], whole=True)
    kept = [*keep]
    lines = shown_lines(layout, kept, columns)
    ways = places(layout.ndim)
    by_way: dict[Way, list[int]] = {"lead": [], "down": [], "across": []}
    for dim, place in enumerate(ways):
        by_way[place.way].append(dim)
    rows, across = (
        _tracks([(lines[dim], ways[dim]) for dim in by_way[way]]) for way in ("down", "across")
    )
    leads = shown_leads(layout.size[: len(by_way["lead"])], kept)
    stride = layout.stride
    down_steps, across_steps = ([stride[dim] for dim in by_way[way]] for way in ("down", "across"))
    # A position is a sum, so the parts of rows and columns are worked out once.
    down_parts = [
        (number, track.index, sum(map(mul, track.index, down_steps)))
        for number, track in enumerate(rows)
        if track.index is not None
    ]
    across_parts = [
        (number, track.index, sum(map(mul, track.index, across_steps)))
        for number, track in enumerate(across)
        if track.index is not None
    ]
    # Tracks hold the indices of every other dim; `order` says which dim each one is of.
    order = [dim for dims in by_way.values() for dim in dims]
    in_order = order == [*range(layout.ndim)]
    blocks: list[Block] = []
    at: list[tuple[int, int, int, Ints]] = []
    positions: list[int] = []
    for number, lead in enumerate(leads):
        if lead is None:
            blocks.append(Block("⋯", (), ()))
            continue
        blocks.append(Block(f"[{', '.join(map(str, lead))}, ...]" if lead else "", rows, across))
        start = layout.storage_offset + sum(map(mul, lead, stride))
        for row, outer, down in down_parts:
            begun, base = lead + outer, start + down
            at += [(number, row, column, begun + inner) for column, inner, _ in across_parts]
            positions += [base + step for _, _, step in across_parts]
    if not in_order:
        at = [(b, r, c, _in_order(order, index)) for b, r, c, index in at]
    return Draft(member, tuple(blocks), at, positions, whole=len(at) == layout.numel)


def fitting(first: Draft, texts: list[str], keep: Iterable[Ints]) -> Draft:
    """The draft, or one with fewer columns where its texts are too wide for a page."""
    if not first.blocks or not first.blocks[0].columns:
        return first
    columns = len(first.blocks[0].columns)
    widest = max(map(len, texts), default=0) + 2
    if columns <= 7 or columns * widest <= PAGE:
        return first
    return draft(first.member, keep, columns=max(PAGE // widest, 7))


def extremes(layout: Layout) -> Iterator[Ints]:
    """The indices of the lowest and the highest address."""
    if layout.numel:
        pairs = [*zip(layout.size, layout.stride, strict=True)]
        yield tuple(n - 1 if step < 0 else 0 for n, step in pairs)
        yield tuple(n - 1 if step > 0 else 0 for n, step in pairs)


def texts_of(subject_draft: Draft, *, values: bool) -> list[str]:
    """The text of each shown cell: its value, or its position where values are not wanted."""
    member, positions = subject_draft.member, subject_draft.positions
    subject = member.subject
    length = subject.storage_length
    if not values:
        return [*map(str, positions)]
    if not positions:
        return []
    if min(positions) >= 0 and max(positions) < length:
        texts = [*map(value_text, subject.read(positions))]
    else:
        inside = [p for p in positions if 0 <= p < length]
        found = dict(zip(inside, map(value_text, subject.read(inside)), strict=True))
        texts = [found.get(p, OUTSIDE_TEXT) for p in positions]
    unwritten = subject.unwritten(positions)
    if unwritten:
        texts = [
            UNWRITTEN_TEXT if position in unwritten else text
            for position, text in zip(positions, texts, strict=True)
        ]
    return texts


def grid_of(made: Draft, texts: list[str], group_at: Callable[[int], int], asked: Asked) -> Grid:
    """The grid, with texts, fills and marks."""
    member = made.member
    subject, unit, shift = member.subject, member.unit, member.shift
    length, base = subject.storage_length, shift // unit
    unwritten = subject.unwritten([p for p in made.positions if 0 <= p < length])
    traversal = asked.traversal
    plain = not (asked.selected or asked.written or traversal or unwritten)
    seen: set[int] = set()
    cells: list[Cell] = []
    for (block, row, column, index), position, text in zip(
        made.at, made.positions, texts, strict=True
    ):
        address = base + position
        marks: Marks = ()
        if position in seen:
            marks = ("ghost",)
        else:
            seen.add(position)
        if not 0 <= position < length:
            cells.append(Cell(block, row, column, index, address, text, None, (*marks, "outside")))
            continue
        byte = shift + position * unit
        visit = ""
        if not plain:
            if traversal:
                visit = str(traversal.number(index))
            marks += tuple(_marks(byte, index, asked))
            if position in unwritten:
                marks += ("unwritten",)
        cells.append(Cell(block, row, column, index, address, text, group_at(byte), marks, visit))
    return Grid(
        member.name,
        header_text(subject),
        unit,
        made.blocks,
        tuple(cells),
        _dims(member, asked.seam),
    )


def _marks(byte: int, index: Ints, asked: Asked) -> Iterator[Mark]:
    if byte in asked.selected if asked.select is None else index == asked.select:
        yield "selected"
    if byte in asked.written:
        yield "written"
    if asked.traversal and asked.traversal.is_switch(index):
        yield "switch"


def _in_order(order: list[int], parts: Ints) -> Ints:
    index = [0] * len(parts)
    for dim, i in zip(order, parts, strict=True):
        index[dim] = i
    return tuple(index)


def _tracks(dims: list[tuple[Line, Place]]) -> tuple[Track, ...]:
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


def _dims(member: Member, seam: Ints) -> tuple[DimLabel, ...]:
    layout = member.subject.layout
    return tuple(
        DimLabel(
            dim,
            layout.size[dim],
            layout.stride[dim],
            place.way,
            place.level,
            dim_text(member.subject, dim),
            dim in seam,
        )
        for dim, place in enumerate(places(layout.ndim))
    )
