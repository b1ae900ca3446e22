"""Where everything in a scene stands on the page."""

from math import ceil
from typing import Final

from stridekit.diagrams.pages import grids, palette, strips
from stridekit.diagrams.pages.arrows import paint_moves
from stridekit.diagrams.pages.cell_styles import look_of, paint_marks
from stridekit.diagrams.pages.grids import GridPlan
from stridekit.diagrams.pages.legend import Entry, entries_of
from stridekit.diagrams.pages.metrics import text_width
from stridekit.diagrams.pages.page import Font, Page
from stridekit.diagrams.pages.strips import Placed
from stridekit.diagrams.scenes.scene import Scene, Section, Slot

MARGIN, SWATCH = 14, 20
PAGE = 896
# Notes and the legend are not squeezed into less.
NARROWEST = 640
# Air between grids, between a grid and its strip, between sections, for arrows between strips,
# above the notes and above the legend.
GRID_GAP, STRIP_GAP, SECTION_GAP, MOVES_GAP = 36, 22, 30, 84
NOTE_GAP, LEGEND_GAP = 16, 12
TITLE: Final = Font(14, bold=True)
LABEL: Final = Font(13, bold=True)
NOTE: Final = Font(12)
SIGN: Final = Font(11, "middle", bold=True)
LEGEND: Final = Font(11, ink=palette.MUTED)


def lay_out(scene: Scene) -> Page:
    """The page that shows a scene."""
    page = Page()
    top = MARGIN
    if scene.title:
        page.write(TITLE, MARGIN, top + 9, scene.title)
        top += 30
    top = _lay_out_sections(page, scene, top)
    room = max(page.width - MARGIN, NARROWEST)
    lines = [line for note in scene.notes for line in wrapped(note, NOTE, room)]
    if lines:
        top += NOTE_GAP
    for line in lines:
        page.write(NOTE, MARGIN, top + 7, line)
        top += 20
    entries = entries_of(scene)
    if entries:
        top = _lay_out_legend(page, entries, top + LEGEND_GAP)
    page.width = ceil(page.width) + MARGIN
    page.height = top + MARGIN
    return page


def _lay_out_sections(page: Page, scene: Scene, top: int) -> int:
    if len(scene.sections) == 1:
        return _lay_out_section(page, scene.sections[0], MARGIN, top).bottom
    # Arrows run between two rows of slots. Where there are more, fills have to tell alone.
    if scene.moves and all(len(strips.plan(each).rows) == 1 for each in scene.sections):
        return _lay_out_moved(page, scene, top)
    parts = [_part_of(section) for section in scene.sections]
    if sum(part.width + GRID_GAP for part, _ in parts) - GRID_GAP <= PAGE:
        # Side by side, their strips stand at one height.
        height = max(_height_of(_grid_rows(section)) for section in scene.sections)
        x = MARGIN
        for part, _ in (_part_of(section, height) for section in scene.sections):
            page.take(part, x, top)
            x += ceil(part.width) + GRID_GAP
        return ceil(page.height)
    for number, (part, placed) in enumerate(parts):
        top += SECTION_GAP if number else 0
        page.take(part, MARGIN, top)
        top += placed.bottom
    return top


def _part_of(section: Section, height: int = 0) -> tuple[Page, Placed]:
    part = Page()
    return part, _lay_out_section(part, section, 0, 0, height)


def _lay_out_moved(page: Page, scene: Scene, top: int) -> int:
    """Two sections with their strips face to face, and arrows from one to the other."""
    before, after = scene.sections
    source = _lay_out_section(page, before, MARGIN, top, moved=True)
    target = _lay_out_section(page, after, MARGIN, source.bottom + MOVES_GAP)
    group_at = {
        slot.address: slot.group or 0 for slot in before.strips[0].slots if isinstance(slot, Slot)
    }
    ways = [
        (source.middles[start], target.middles[end], group_at[start]) for start, end in scene.moves
    ]
    paint_moves(page, ways, source.bottom_of_slots + 2, target.top_of_slots - 2)
    return target.bottom


def _lay_out_section(
    page: Page, section: Section, left: int, top: int, height: int = 0, *, moved: bool = False
) -> Placed:
    """One memory with its tensors, whose grids take `height` at least.

    `moved` leaves the strip's lower side free for arrows.
    """
    planned = strips.plan(section)
    if section.strip_first:
        placed = strips.paint_strips(page, planned, left, top)
        top = _lay_out_label(page, section, left, placed.bottom + STRIP_GAP)
        return placed._replace(bottom=_lay_out_grids(page, section, left, top))
    top = _lay_out_label(page, section, left, top)
    bottom = max(_lay_out_grids(page, section, left, top), top + height)
    return strips.paint_strips(page, planned, left, bottom + STRIP_GAP, addresses_above=moved)


def _lay_out_label(page: Page, section: Section, left: int, top: int) -> int:
    if section.label:
        page.write(LABEL, left, top + 8, section.label)
        top += 26
    return top


def _grid_rows(section: Section) -> list[list[GridPlan]]:
    """The grids from left to right, in as many rows as the page needs."""
    rows: list[list[GridPlan]] = []
    width = 0
    for grid in section.grids:
        measured = grids.plan(grid)
        if not rows or width + measured.width > PAGE:
            rows.append([])
            width = 0
        rows[-1].append(measured)
        width += measured.width + GRID_GAP
    return rows


def _height_of(rows: list[list[GridPlan]]) -> int:
    heights = [_head_of(row) + max(each.height - each.top for each in row) for row in rows]
    return sum(heights) + SECTION_GAP * (len(rows) - 1)


def _head_of(row: list[GridPlan]) -> int:
    """The room above the cells, which begin at one height in a row."""
    return max(measured.top for measured in row)


def _lay_out_grids(page: Page, section: Section, left: int, top: int) -> int:
    for number, row in enumerate(_grid_rows(section)):
        if number:
            top += SECTION_GAP
        x = left
        for measured in row:
            grids.paint_grid(page, measured._replace(top=_head_of(row)), x, top)
            x += measured.width + GRID_GAP
        top += _height_of([row])
    if section.more_grids:
        page.write(NOTE, left, top + 20, f"+{section.more_grids} more on this storage")
        top += 28
    return top


def _lay_out_legend(page: Page, entries: list[Entry], top: int) -> int:
    """What the signs in the picture mean, in a line or several."""
    x, room = float(MARGIN), max(page.width - MARGIN, NARROWEST)
    for entry in entries:
        swatch = SWATCH
        if entry.sign:
            swatch = max(SWATCH, ceil(text_width(entry.sign, SIGN.size, bold=True)) + 4)
        width = swatch + 8 + text_width(entry.words, LEGEND.size)
        if x > MARGIN and x + width > room:
            x, top = MARGIN, top + 20
        box = (x, top, swatch, 14.0)
        if entry.sign:
            dark = "switch" in entry.marks
            if dark:
                page.over[palette.PILL].add(*box)
            font = SIGN._replace(ink=palette.CARD if dark else palette.INK)
            page.write(font, x + swatch / 2, top + 7, entry.sign)
        else:
            page.boxes[look_of(entry.group, entry.marks)].add(*box)
            paint_marks(page, entry.marks, box)
        page.write(LEGEND, x + swatch + 8, top + 7, entry.words)
        x += width + 22
    return top + 14


def wrapped(text: str, font: Font, room: float) -> list[str]:
    """The text in lines that are no wider than the room, broken between words."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, font.size, bold=font.bold) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]
