"""Where everything in a scene stands on the page."""

from math import ceil
from typing import Final

from stridekit.diagrams import page_grid, page_strip, palette
from stridekit.diagrams.arrows import paint_moves
from stridekit.diagrams.key import Entry, entries_of
from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.page_cells import look_of, paint_marks
from stridekit.diagrams.page_grid import GridPlan
from stridekit.diagrams.page_strip import Placed
from stridekit.diagrams.scene import Scene, Section, Slot
from stridekit.diagrams.sheet import Font, Sheet

MARGIN, SWATCH = 14, 20
PAGE = 896
# Notes and the key are not squeezed into less.
NARROWEST = 640
# Air between grids, between a grid and its strip, between sections, for arrows between strips,
# above the notes and above the key.
GRID_GAP, STRIP_GAP, SECTION_GAP, MOVES_GAP = 36, 22, 30, 84
NOTE_GAP, KEY_GAP = 16, 12
TITLE: Final = Font(14, bold=True)
LABEL: Final = Font(13, bold=True)
NOTE: Final = Font(12)
SIGN: Final = Font(11, "middle", bold=True)
KEY: Final = Font(11, ink=palette.MUTED)


def lay_out(scene: Scene) -> Sheet:
    """The page that shows a scene."""
    sheet = Sheet()
    top = MARGIN
    if scene.title:
        sheet.write(TITLE, MARGIN, top + 9, scene.title)
        top += 30
    top = _lay_out_sections(sheet, scene, top)
    room = max(sheet.width - MARGIN, NARROWEST)
    lines = [line for note in scene.notes for line in _wrapped(note, NOTE, room)]
    if lines:
        top += NOTE_GAP
    for line in lines:
        sheet.write(NOTE, MARGIN, top + 7, line)
        top += 20
    entries = entries_of(scene)
    if entries:
        top = _lay_out_key(sheet, entries, top + KEY_GAP)
    sheet.width = ceil(sheet.width) + MARGIN
    sheet.height = top + MARGIN
    return sheet


def _lay_out_sections(sheet: Sheet, scene: Scene, top: int) -> int:
    if len(scene.sections) == 1:
        return _lay_out_section(sheet, scene.sections[0], MARGIN, top).bottom
    # Arrows run between two rows of slots. Where there are more, fills have to tell alone.
    if scene.moves and all(len(page_strip.plan(each).rows) == 1 for each in scene.sections):
        return _lay_out_moved(sheet, scene, top)
    pages = [_page_of(section) for section in scene.sections]
    if sum(page.width + GRID_GAP for page, _ in pages) - GRID_GAP <= PAGE:
        # Side by side, their strips stand at one height.
        height = max(_height_of(_grid_rows(section)) for section in scene.sections)
        x = MARGIN
        for page, _ in (_page_of(section, height) for section in scene.sections):
            sheet.take(page, x, top)
            x += ceil(page.width) + GRID_GAP
        return ceil(sheet.height)
    for number, (page, placed) in enumerate(pages):
        top += SECTION_GAP if number else 0
        sheet.take(page, MARGIN, top)
        top += placed.bottom
    return top


def _page_of(section: Section, height: int = 0) -> tuple[Sheet, Placed]:
    page = Sheet()
    return page, _lay_out_section(page, section, 0, 0, height)


def _lay_out_moved(sheet: Sheet, scene: Scene, top: int) -> int:
    """Two sections with their strips face to face, and arrows from one to the other."""
    before, after = scene.sections
    source = _lay_out_section(sheet, before, MARGIN, top, moved=True)
    target = _lay_out_section(sheet, after, MARGIN, source.bottom + MOVES_GAP)
    group_at = {
        slot.address: slot.group or 0 for slot in before.strips[0].slots if isinstance(slot, Slot)
    }
    ways = [
        (source.middles[start], target.middles[end], group_at[start]) for start, end in scene.moves
    ]
    paint_moves(sheet, ways, source.bottom_of_slots + 2, target.top_of_slots - 2)
    return target.bottom


def _lay_out_section(
    sheet: Sheet, section: Section, left: int, top: int, height: int = 0, *, moved: bool = False
) -> Placed:
    """One memory with its tensors, whose grids take `height` at least.

    `moved` leaves the strip's lower side free for arrows.
    """
    planned = page_strip.plan(section)
    if section.strip_first:
        placed = page_strip.paint_strips(sheet, planned, left, top)
        top = _lay_out_label(sheet, section, left, placed.bottom + STRIP_GAP)
        return placed._replace(bottom=_lay_out_grids(sheet, section, left, top))
    top = _lay_out_label(sheet, section, left, top)
    bottom = max(_lay_out_grids(sheet, section, left, top), top + height)
    return page_strip.paint_strips(sheet, planned, left, bottom + STRIP_GAP, addresses_above=moved)


def _lay_out_label(sheet: Sheet, section: Section, left: int, top: int) -> int:
    if section.label:
        sheet.write(LABEL, left, top + 8, section.label)
        top += 26
    return top


def _grid_rows(section: Section) -> list[list[GridPlan]]:
    """The grids from left to right, in as many rows as the page needs."""
    rows: list[list[GridPlan]] = []
    width = 0
    for grid in section.grids:
        measured = page_grid.plan(grid)
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


def _lay_out_grids(sheet: Sheet, section: Section, left: int, top: int) -> int:
    for number, row in enumerate(_grid_rows(section)):
        if number:
            top += SECTION_GAP
        x = left
        for measured in row:
            page_grid.paint_grid(sheet, measured._replace(top=_head_of(row)), x, top)
            x += measured.width + GRID_GAP
        top += _height_of([row])
    if section.more_grids:
        sheet.write(NOTE, left, top + 20, f"+{section.more_grids} more on this storage")
        top += 28
    return top


def _lay_out_key(sheet: Sheet, entries: list[Entry], top: int) -> int:
    """What the signs in the picture mean, in a line or several."""
    x, room = float(MARGIN), max(sheet.width - MARGIN, NARROWEST)
    for entry in entries:
        swatch = SWATCH
        if entry.sign:
            swatch = max(SWATCH, ceil(text_width(entry.sign, SIGN.size, bold=True)) + 4)
        width = swatch + 8 + text_width(entry.words, KEY.size)
        if x > MARGIN and x + width > room:
            x, top = MARGIN, top + 20
        box = (x, top, swatch, 14.0)
        if entry.sign:
            dark = "switch" in entry.marks
            if dark:
                sheet.over[palette.PILL].add(*box)
            font = SIGN._replace(ink=palette.CARD if dark else palette.INK)
            sheet.write(font, x + swatch / 2, top + 7, entry.sign)
        else:
            sheet.boxes[look_of(entry.group, entry.marks)].add(*box)
            paint_marks(sheet, entry.marks, box)
        sheet.write(KEY, x + swatch + 8, top + 7, entry.words)
        x += width + 22
    return top + 14


def _wrapped(text: str, font: Font, room: float) -> list[str]:
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
