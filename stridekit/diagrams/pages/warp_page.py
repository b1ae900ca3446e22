"""Where the threads of a warp stand on the page, and below them the sectors that they touch."""

from math import ceil

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.arrows import paint_moves
from stridekit.diagrams.pages.cell_styles import paint_cells
from stridekit.diagrams.pages.grids import HEADER, NAME, NAME_GAP
from stridekit.diagrams.pages.legend import LegendEntry, paint_legend
from stridekit.diagrams.pages.page import (
    MARGIN,
    Box,
    Font,
    Page,
    PlacedCells,
    paint_notes,
    paint_title,
    text_width,
)
from stridekit.diagrams.pages.palette import Paint
from stridekit.diagrams.scenes.scene import Scene, Slot

# A thread's cell, and how many stand in a row.
THREAD, PER_ROW = 26, 32
# So many pixels are a byte; so many sectors stand in a row, with air for what is left out.
BYTE, SECTORS, AIR = 4, 6, 12
SLOT, ROW = 24, 50
MOVES_GAP, GRID_GAP = 64, 22
CAPTION = Font(11, ink=palette.MUTED)
SECTOR = Font(10, ink=palette.MUTED)
LEFT_OUT = Font(11, "middle", ink=palette.MUTED)
FRAME = Paint(stroke=palette.INK, weight=1.6)
# Numbers in cells and slots, from the largest size to the least that can be read.
SIZES = (12, 11, 10, 9)


def lay_out_warp(scene: Scene) -> Page:
    """The page that shows a scene of a warp."""
    page = Page()
    (section,) = scene.sections
    (grid,), (strip,) = section.grids, section.strips
    top = paint_title(page, scene.title, MARGIN, MARGIN)
    x = MARGIN
    if section.label:
        page.write(NAME, x, top + 8, section.label)
        x += ceil(text_width(section.label, NAME.size, bold=True)) + NAME_GAP
    page.write(HEADER, x, top + 8, grid.header)
    page.write(CAPTION, MARGIN, top + 28, grid.dims[0].text)
    top += 40
    boxes: list[Box] = [
        (MARGIN + t % PER_ROW * THREAD, top + t // PER_ROW * THREAD, THREAD, THREAD)
        for t in range(len(grid.cells))
    ]
    paint_cells(page, PlacedCells(grid, grid.cells, boxes, SIZES[0]), THREAD / 2)
    page.reach(MARGIN + min(len(boxes), PER_ROW) * THREAD)
    foot = top + -(-len(boxes) // PER_ROW) * THREAD
    slots = [slot for slot in strip.slots if isinstance(slot, Slot)]
    rows = -(-len(slots) // (strip.line * SECTORS))
    # Of several rows, lines would run through the upper ones: there numbers tell alone.
    has_lines = rows == 1 and len(boxes) <= PER_ROW
    top = foot + (MOVES_GAP if has_lines else GRID_GAP)
    places = _paint_sectors(page, scene, top)
    if has_lines:
        middles = {
            slot.address: box[0] + box[2] / 2 for slot, box in zip(slots, places, strict=True)
        }
        ways = [
            (box[0] + THREAD / 2, middles[cell.address], cell.group or 0)
            for cell, box in zip(grid.cells, boxes, strict=True)
        ]
        paint_moves(page, ways, foot + 2, places[0][1] - 2)
    top = paint_notes(page, scene.notes, MARGIN, int(places[-1][1]) + SLOT + 30)
    words = "each colour: one sector of 32 bytes, and who wants it"
    groups = {slot.group for slot in slots}
    if len(palette.FILLS) in groups:
        words += f"; the colours come round again after {len(palette.FILLS)}"
    entries = [LegendEntry(words, "", other=1)] if 1 in groups else []
    if None in groups:
        entries.append(LegendEntry("comes along, and no thread wants it", "", None))
    page.height = paint_legend(page, entries, MARGIN, top + 12) + MARGIN
    page.width = ceil(page.width) + MARGIN
    return page


def _paint_sectors(page: Page, scene: Scene, top: int) -> list[Box]:
    """The sectors in rows, each in a frame; gives the boxes of their slots."""
    strip = scene.sections[0].strips[0]
    slots = [slot for slot in strip.slots if isinstance(slot, Slot)]
    width, sector = BYTE * strip.unit, BYTE * strip.unit * strip.line
    longest = max(len(slot.text) for slot in slots)
    size = next((n for n in SIZES if text_width("0" * longest, n, mono=True) <= width - 1), 0)
    boxes: list[Box] = []
    for number, first in enumerate(range(0, len(slots), strip.line)):
        row, column = divmod(number, SECTORS)
        x, y = MARGIN + column * (sector + AIR), top + row * ROW
        page.write(SECTOR, x, y + SLOT + 9, f"byte {slots[first].address * strip.unit:,}")
        if number and column and slots[first].address > slots[first - 1].address + 1:
            page.write(LEFT_OUT, x - AIR / 2, y + SLOT / 2, "⋯")
        boxes += [(x + n * width, y, width, SLOT) for n in range(strip.line)]
        page.over[FRAME].append((x, y, sector, SLOT))
        page.reach(x + sector)
    shown = [slot if size else slot._replace(text="") for slot in slots]
    paint_cells(page, PlacedCells(strip, shown, boxes, size or SIZES[-1]), SLOT / 2)
    return boxes
