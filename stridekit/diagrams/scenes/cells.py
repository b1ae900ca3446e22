"""The cells of a tensor's grid: which elements are shown, where, each one's address and visit."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import groupby, islice
from math import inf
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import (
    byte_unit,
    dim_name,
    dim_parts,
    header_text,
    value_texts,
)
from stridekit.diagrams.scenes.colouring import ColourBy, Palette
from stridekit.diagrams.scenes.elision import (
    COLUMNS,
    Element,
    ShownElements,
    dim_directions,
    shown_elements,
)
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.notation import LONGEST, told_alike
from stridekit.diagrams.scenes.scene import Cell, DimLabel, Grid, Hop, Mark, Marks
from stridekit.layouts.dims import permute
from stridekit.layouts.layout import Ints, Layout, count
from stridekit.tensors.interop import Subject

CACHE_LINE = 64
# Line switches are counted over so many visits.
VISITS_MOST = 10_000
# What a page is wide, in characters of a cell's text.
PAGE = 130
COLUMNS_LEAST = 7
# A cell that lies outside the storage has no value.
OUTSIDE_TEXT = "×"
UNWRITTEN_TEXT = "?"


class Options(NamedTuple):
    """What is asked of a drawing, beside the tensors themselves.

    `select` is an index of the first tensor; `traverse` its dims from the outermost loop to the
    innermost; `written` are indices of it that a write has reached; `line` is in bytes.
    `colour_by` is one of its dims, or "element"; `palette` an earlier picture's. With `all` every
    tensor has a grid and a lane, however many there are. `seam` are two of its dims that cannot
    merge, and `hops` lead from slot to slot.
    """

    call: str = "draw"
    title: str = ""
    values: bool = True
    bytes: bool = False
    select: Ints | None = None
    written: tuple[Ints, ...] = ()
    traverse: Ints | None = None
    line: int = CACHE_LINE
    colour_by: ColourBy = None
    palette: Palette | None = None
    all: bool = False
    seam: Ints = ()
    hops: tuple[Hop, ...] = ()

    def of_others(self) -> "Options":
        """What is asked of other tensors than the first."""
        return self._replace(select=None, written=(), traverse=None, seam=(), hops=())


class Touched(NamedTuple):
    """The bytes of a section that have a state, whichever tensor reaches them."""

    selected: frozenset[int]
    written: frozenset[int]


class Traversal(NamedTuple):
    """Loops over a tensor's dims, `order` from the outermost to the innermost.

    `walked` is its layout in the order of the loops; the positions of `numbers` are those of the
    visits, from 0 on. Lines are `line` bytes long and counted from the start of the memory, as if
    it began on one.
    """

    member: SectionMember
    order: Ints
    line: int
    walked: Layout
    numbers: Layout

    @classmethod
    def of(cls, member: SectionMember, options: Options) -> "Traversal | None":
        """The traversal that is asked for, if any is."""
        if (order := options.traverse) is None:
            return None
        walked = permute(member.subject.layout, order)
        return cls(member, order, options.line, walked, Layout.of(walked.size))

    def number(self, index: Ints) -> int:
        """Which visit an element is, from 0 on."""
        return self.numbers.position(tuple(index[dim] for dim in self.order))

    def is_switch(self, index: Ints, position: int) -> bool:
        """Whether the visit before the one of an index was on another line, or there was none."""
        before = self.numbers.index_at(self.number(index) - 1)
        return before is None or (
            self._line_of(self.walked.position(before)) != self._line_of(position)
        )

    def _line_of(self, position: int) -> int:
        return self.member.byte(position) // self.line

    def note(self) -> str:
        """The count of visits, line switches and lines, in a sentence."""
        lines = [*map(self._line_of, islice(self.walked.positions(), VISITS_MOST))]
        switches = len([*groupby(lines)])
        visits = count(len(lines), "visit")
        if self.walked.numel > VISITS_MOST:
            visits = f"The first {visits}"
        loops = f"dim {self.order[-1]} innermost" if len(self.order) > 1 else "in order"
        held = self.line // self.member.unit
        # Where elements lie at any byte, how many of them a line holds differs.
        each = f" ({count(held, 'element')} each), " if self.member.subject.span == 1 else ", "
        return (
            f"{visits}, {loops}: {count(switches, 'line switch', 'line switches')}, the first "
            "visit included, over "
            f"{count(len(set(lines)), 'cache line')} of {self.line} bytes{each}if the storage "
            "begins on a line."
        )


class _Texts(NamedTuple):
    """Elements that a grid shows, and the text of each: `short` where others would not fit."""

    shown: ShownElements
    texts: list[str]
    floats: bool
    short: bool


def grid_of(
    member: SectionMember, asked: Options, touched: Touched, group_at: Callable[[int], int]
) -> Grid:
    """A tensor's grid; what is selected and written, the lowest and the highest address show."""
    subject, unit, shift = member.subject, member.unit, member.shift
    layout = subject.layout
    base, traversal = shift // unit, Traversal.of(member, asked)
    keep = extremes(layout) + asked.written
    keep += (asked.select,) if asked.select is not None else ()
    (rows, columns, blocks, elements), texts, floats, short = _fitted(subject, keep, asked)
    marks = _marks(member, elements, asked, touched, traversal)
    visits = [""] * len(elements)
    if traversal:
        visits = [str(traversal.number(element.index)) for element in elements]
    cells = [
        (block, row, column, index, position + base, text,
         None if "outside" in states else group_at(shift + position * unit), states, visit)
        for (block, row, column, index, position), text, states, visit
        in zip(elements, texts, marks, visits, strict=True)
    ]  # fmt: skip
    labels, directions = [], dim_directions(layout.ndim)
    for dim, (n, step) in enumerate(layout.dims):
        name = dim_name(subject, dim)
        parts = dim_parts(dim, name, n, step, byte_unit(subject))
        labels.append(DimLabel(dim, n, step, *directions[dim], parts, name, dim in asked.seam))
    return Grid(
        member.name,
        header_text(subject),
        unit,
        rows,
        columns,
        blocks,
        # Three times as quick as one call for each.
        tuple(map(Cell._make, cells)),
        tuple(labels),
        floats=floats,
        short=short,
    )


def _fitted(subject: Subject, keep: tuple[Ints, ...], asked: Options) -> _Texts:
    """The elements that a grid shows; those at `keep` are among them.

    Where the texts, or the numbers of visits, are too wide for a page, complex numbers are told
    shorter; there are fewer columns where they still are.
    """

    def in_columns(columns: int, *, short: bool = False) -> _Texts:
        shown = shown_elements(subject.layout, keep, columns)
        positions = [element.position for element in shown.elements]
        return _Texts(shown, *_texts(subject, positions, values=asked.values, short=short), short)

    made = in_columns(COLUMNS)
    if (fitting := _fitting(made, subject, asked)) and "complex" in subject.dtype:
        made = in_columns(COLUMNS, short=True)
        fitting = _fitting(made, subject, asked)
    return in_columns(fitting, short=made.short) if fitting else made


def _fitting(made: _Texts, subject: Subject, asked: Options) -> int:
    """How many columns fit a page; 0 if all do."""
    columns, texts = len(made.shown.columns), made.texts
    if made.floats and columns > PAGE // (LONGEST + 2):
        told = told_alike(texts)
        texts = [told.get(text, text) for text in texts]
    longest = max(map(len, texts), default=0)
    if made.floats:
        longest = min(longest, LONGEST)
    if asked.traverse is not None:
        longest = max(longest, len(str(subject.layout.numel)) + 5)
    fitting = max(PAGE // (longest + 2), COLUMNS_LEAST)
    return fitting if columns > fitting else 0


def extremes(layout: Layout) -> tuple[Ints, ...]:
    """The indices of the lowest and the highest address."""
    return (
        tuple(n - 1 if step < 0 else 0 for n, step in layout.dims),
        tuple(n - 1 if step > 0 else 0 for n, step in layout.dims),
    )


def _texts(
    subject: Subject, positions: list[int], *, values: bool, short: bool
) -> tuple[list[str], bool]:
    """The text at each position: its value, or the position where values are not wanted.

    The value is what the tensor says, also where memory holds something else. And whether values
    are floats.
    """
    if not values:
        return [*map(str, positions)], False
    known = _inside(subject, positions)
    if unwritten := subject.unwritten(known):
        known = [position for position in known if position not in unwritten]
    read = subject.read(known) if known else []
    said = subject.says(known, read) if subject.says else read
    texts, floats = value_texts(said, short=short)
    if len(known) == len(positions):
        return texts, floats
    found = dict(zip(known, texts, strict=True)) | dict.fromkeys(unwritten, UNWRITTEN_TEXT)
    return [found.get(position, OUTSIDE_TEXT) for position in positions], floats


def _inside(subject: Subject, positions: list[int]) -> list[int]:
    """Those positions at which the storage has an element."""
    end = subject.storage_length - subject.span
    if positions and min(positions) >= 0 and max(positions) <= end:
        return positions
    return [position for position in positions if 0 <= position <= end]


def _marks(
    member: SectionMember,
    elements: Sequence[Element],
    asked: Options,
    touched: Touched,
    traversal: Traversal | None,
) -> list[Marks]:
    """The states of the elements that are shown."""
    positions = [element.position for element in elements]
    inside = {*_inside(member.subject, positions)}
    unwritten = member.subject.unwritten([*inside])
    if len(inside) == len(elements) and not (unwritten or any(touched) or traversal):
        # No two share a position, and none is without.
        return [()] * len(elements)
    size, seen = member.subject.element_size, set[int]()
    # Any of an element's bytes may have been written: what counts is the first from its start on.
    written = [*sorted(touched.written), inf]
    marks: list[Marks] = []
    for _, _, _, index, position in elements:
        byte = member.byte(position)
        states: dict[Mark, bool] = {
            "ghost": position in seen,
            "outside": position not in inside,
            "selected": byte in touched.selected if asked.select is None else index == asked.select,
            "written": written[bisect_left(written, byte)] < byte + size,
            "switch": traversal is not None and traversal.is_switch(index, position),
            "unwritten": position in unwritten,
        }
        marks.append(tuple(mark for mark, holds in states.items() if holds))
        if position in inside:
            seen.add(position)
    return marks
