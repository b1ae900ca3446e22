"""`draw_warp`: 32 threads of a GPU over the sectors of memory that they touch at once."""

from itertools import groupby, islice
from math import ceil
from typing import TYPE_CHECKING, SupportsIndex

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.pages import arrows, colours
from stridekit.diagrams.pages.cell_styles import paint_cells
from stridekit.diagrams.pages.legend import entries_of, paint_legend
from stridekit.diagrams.pages.page import Box, Font, Page, PlacedCells, paint_notes, paint_title
from stridekit.diagrams.scenes import arguments
from stridekit.diagrams.scenes.captions import header_text
from stridekit.diagrams.scenes.scene import Cell, DimLabel, Grid, Scene, Section, Slot, Strip
from stridekit.errors import InteropError, SizeError
from stridekit.layouts import warps
from stridekit.layouts.layout import count, wrap_dim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CALL = "draw_warp"
# In pixels: a thread; a byte, and so many sectors in a row, with air between them; how far below
# the threads sectors begin, with lines between them or without.
LEFT, THREAD = 14, 26
BYTE, SECTORS, AIR, SLOT, ROW = 4, 6, 12, 24, 50
WITH_LINES, WITHOUT = 64, 22
SMALL = Font(11, ink=colours.MUTED)
FRAME = colours.THIN._replace(weight=1.6)
UNWANTED = "comes along, and no thread wants it"


class WarpDiagram(Diagram):
    """What one warp touches: `.figure()`, `.svg()`, `.text()`, `.alt`, `.save(path)`, as ever."""

    def _laid_out(self, _width: int) -> Page:
        page, ((grid,), (strip,)) = Page(), self.scene.sections[0][1:3]
        top = paint_title(page, self.scene.title, LEFT, LEFT)
        page.write(SMALL, LEFT, top + 8, f"{grid.header} · {grid.dims[0].text}")
        top += 22
        threads = range(LEFT, LEFT + THREAD * len(grid.cells), THREAD)
        cells: list[Box] = [(x, top, THREAD, THREAD) for x in threads]
        paint_cells(page, PlacedCells(grid, grid.cells, cells, 12), THREAD / 2)
        slots = strip.slots
        # To several rows, lines would run through the upper ones: there numbers tell alone.
        has_lines = len(slots) <= strip.line * SECTORS
        first = top + THREAD + (WITH_LINES if has_lines else WITHOUT)
        boxes: list[Box] = []
        width, whole = BYTE * strip.unit, BYTE * warps.SECTOR
        for number, slot in enumerate(slots[:: strip.line]):
            row, column = divmod(number, SECTORS)
            x, y = LEFT + column * (whole + AIR), first + row * ROW
            page.write(SMALL, x, y + SLOT + 9, f"byte {slot.address * strip.unit:,}")
            boxes += [(x + n * width, y, width, SLOT) for n in range(strip.line)]
            page.over[FRAME].append((x, y, whole, SLOT))
            page.reach(x + whole)
        shown = slots if strip.unit > 2 else [slot._replace(text="") for slot in slots]
        paint_cells(page, PlacedCells(strip, shown, boxes, 12 if strip.unit > 4 else 11), SLOT / 2)
        if has_lines:
            left_of = {slot.address: box[0] for slot, box in zip(slots, boxes, strict=True)}
            ways = [
                (x + THREAD / 2, left_of[cell.address] + width / 2, cell.group or 0)
                for cell, x in zip(grid.cells, threads, strict=True)
            ]
            arrows.paint_moves(page, ways, top + THREAD + 2, first - 2)
        page.reach(threads.stop)
        top = paint_notes(page, self.scene.notes, LEFT, int(boxes[-1][1]) + SLOT + 30) + 12
        entries = [
            each if each.group is not None else each._replace(words=UNWANTED)
            for each in entries_of(self.scene)
        ]
        page.height = paint_legend(page, entries, LEFT, top) + LEFT
        page.width = ceil(page.width) + LEFT
        return page

    def text(self) -> str:
        """A line for each run of threads that share a sector."""
        title, ((grid,), (strip,)) = self.scene.title, self.scene.sections[0][1:3]
        lines = [title] * bool(title) + [grid.header, grid.dims[0].text, ""]
        for sector, run in groupby(grid.cells, lambda cell: cell.address // strip.line):
            first, *others = (cell.text for cell in run)
            threads = f"threads {first} to {others[-1]}" if others else f"thread {first}"
            start = sector * warps.SECTOR
            lines.append(f"{threads:17} bytes {start} to {start + warps.SECTOR - 1}")
        return "\n".join([*lines, "", *self.scene.notes])


def draw_warp(
    tensor: object,
    *,
    along: SupportsIndex = -1,
    title: str | None = None,
    ax: "Axes | None" = None,
) -> WarpDiagram:
    """What the first warp that reads a tensor touches: bytes that are wanted, and all that come.

    Each of its 32 threads reads an element, neighbours along the dim `along`. The notes count for
    all warps, by the rule of `stridekit.layouts.warps`. Nothing is read, so any tensor does, on
    any device or on none. Raises ArgumentError for what is not a tensor, or has elements that no
    thread reads at once, SizeError for none, and DimError for a dim that is not there.

    >>> print(sk.draw_warp(sk.zeros(10)[::2]).text())
    size (5,) · stride (2,) · offset 0 · float32
    5 threads, neighbours along dim 0
    <BLANKLINE>
    threads 0 to 3    bytes 0 to 31
    thread 4          bytes 32 to 63
    <BLANKLINE>
    The threads want 20 bytes. 2 sectors come, 64 bytes in 1 line: 31.2% is wanted.
    """
    heading = arguments.heading(CALL, title)
    name, _, subject = arguments.one_tensor(CALL, tensor, heading)
    if subject.in_bytes:
        raise InteropError(
            f"{CALL}: the elements of this array lie at no multiple of their size, and no thread "
            "reads such a one at once. Copy it first: array.copy()."
        )
    layout, unit = subject.layout, subject.element_size
    if not layout.numel:
        raise SizeError(
            f"{CALL}: size {layout.size} has no elements, so no thread has one to read."
        )
    places = layout.size, layout.stride, unit, layout.storage_offset
    whole = warps.warp_sectors(*places, along=along, call=CALL)
    ordered = warps.in_thread_order(CALL, layout, along)
    positions = [*islice(ordered.positions(), warps.WARP)]
    dim = wrap_dim(CALL, along, layout.ndim)
    told = f"{count(len(positions), 'thread')}, neighbours along dim {dim}"
    notes = [_cost("The threads want", warps.touched_at(positions, unit))]
    if whole.requests > 1:
        notes.append(_cost(f"Together, {whole.requests:,} warps want", whole))
    header = header_text(subject)
    section = _section(positions, unit, header, told)
    alt = " ".join([f"{name or 'Tensor'}: {header}. {told}.", *notes])
    return WarpDiagram(Scene(heading or name, (section,), (), tuple(notes), alt), ax)


def _cost(who_wants: str, touched: warps.SectorCount) -> str:
    """What is wanted, what comes for it, and which part of that is of use."""
    wanted, fetched = touched.wanted, touched.fetched
    share = "all of it" if wanted == fetched else f"{100 * wanted / fetched:.3g}%"
    come = "comes" if touched.sectors == 1 else "come"
    return (
        f"{who_wants} {count(wanted, 'byte')}. {count(touched.sectors, 'sector')} {come}, "
        f"{fetched:,} bytes in {count(touched.lines, 'line')}: {share} is wanted."
    )


def _section(positions: list[int], unit: int, header: str, told: str) -> Section:
    """A grid of the threads, and a strip of the sectors that they touch.

    A fill is a sector; slots that no thread wants have none. A slot says which thread wants it,
    the first one where several do.
    """
    per_sector = warps.SECTOR // unit
    sectors = sorted({position // per_sector for position in positions})
    cells = tuple(
        Cell(0, 0, thread, (thread,), position, str(thread), sectors.index(position // per_sector))
        for thread, position in enumerate(positions)
    )
    wanted = {cell.address: (cell.text, cell.group) for cell in reversed(cells)}
    slots = tuple(
        Slot(at, *wanted.get(at, ("", None)))
        for sector in sectors
        for at in range(sector * per_sector, (sector + 1) * per_sector)
    )
    dim = DimLabel(0, len(cells), 0, "across", 0, (told,), "thread", False)
    grid = Grid("thread", header, unit, (), (), (), cells, (dim,))
    strip = Strip("", "", unit, slots, line=per_sector)
    words = "each colour: one sector of 32 bytes"
    return Section("", (grid,), (strip,), fill_words=words, values=False)
