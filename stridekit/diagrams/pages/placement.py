"""Where everything in a scene stands on the page."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from stridekit.diagrams.pages import grids, palette, strips
from stridekit.diagrams.pages.arrows import paint_moves
from stridekit.diagrams.pages.grids import GridPlan
from stridekit.diagrams.pages.legend import entries_of, paint_legend
from stridekit.diagrams.pages.page import (
    CONTENT,
    MARGIN,
    NOTE,
    Font,
    Page,
    paint_notes,
    paint_title,
    wrapped,
)
from stridekit.diagrams.pages.palette import Paint
from stridekit.diagrams.pages.strips import Placed
from stridekit.diagrams.scenes.scene import Scene, Section, Slot

# Air between grids, between a grid and its strip, between sections, for arrows between strips,
# above the notes and above the legend.
GRID_GAP, STRIP_GAP, SECTION_GAP, MOVES_GAP = 36, 22, 30, 84
# How far a storage's ground reaches beyond what stands on it.
GROUND = 8
# Room for each of two parts side by side.
HALF = (CONTENT - GRID_GAP) // 2
NOTE_GAP, LEGEND_GAP = 16, 12
LABEL: Final = Font(13, bold=True)


def lay_out(scene: Scene) -> Page:
    """The page that shows a scene."""
    page = Page()
    top = _lay_out_sections(page, scene, paint_title(page, scene.title, MARGIN, MARGIN))
    if any(section.storage for section in scene.sections):
        top += GROUND
    if scene.notes:
        top = paint_notes(page, scene.notes, MARGIN, top + NOTE_GAP)
    if entries := entries_of(scene):
        top = paint_legend(page, entries, MARGIN, top + LEGEND_GAP)
    page.width = ceil(page.width) + MARGIN
    page.height = ceil(top) + MARGIN
    return page


def _lay_out_sections(page: Page, scene: Scene, top: int) -> int:
    if len(scene.sections) == 1:
        return _lay_out_section(page, scene.sections[0], MARGIN, top).bottom
    grounds = {
        letter: palette.ground(number)
        for number, letter in enumerate(
            dict.fromkeys(section.storage for section in scene.sections if section.storage)
        )
    }
    if grounds and scene.title:
        top += GROUND - 2
    for look in grounds.values():
        # Below all that stands on it.
        page.boxes[look] = []
    # Arrows run between two rows of slots. Where there are more, fills have to tell alone.
    if scene.moves and all(len(strips.plan(each).rows) == 1 for each in scene.sections):
        return _lay_out_moved(page, scene, grounds, top)
    rows: list[list[tuple[Section, float]]] = []
    left = 0.0
    room = CONTENT
    wide = [_part_of(each) for each in scene.sections]
    drawn = wide
    if len(wide) == 2 and not _abreast(wide) and _strips_abreast(scene.sections):
        # Before and after, or two storages: a little narrower they may fit side by side.
        narrow = [_part_of(each, room=HALF) for each in scene.sections]
        if _abreast(narrow):
            room, drawn = HALF, narrow
    part_of = {id(section): part for section, part in zip(scene.sections, drawn, strict=True)}
    for section in scene.sections:
        width: float = ceil(part_of[id(section)].width)
        # After begins a row of its own, if not each of both is one part.
        is_next = section.told or (section.label and len(scene.sections) > 2)
        if not rows or left + width > CONTENT or is_next:
            rows.append([])
            left = 0
        rows[-1].append((section, width))
        left += width + GRID_GAP
    alone = all(len(row) == 1 for row in rows)
    widest = max(width for row in rows for _, width in row)
    for number, row in enumerate(rows):
        top += SECTION_GAP if number else 0
        # Side by side, their strips stand at one height.
        heights = [_height_of(_grid_rows(section, room)) for section, _ in row]
        parts = [
            part_of[id(section)] if own == max(heights) else _part_of(section, max(heights), room)
            for (section, _), own in zip(row, heights, strict=True)
        ]
        bottom = max(part.height for part in parts)
        x = MARGIN
        for part, (section, width) in zip(parts, row, strict=True):
            if section.storage:
                size = (widest if alone else width), bottom
                _lay_ground(page, grounds[section.storage], (x, top), size)
            page.take(part, x, top)
            x += ceil(width) + GRID_GAP
        top += ceil(bottom)
    return top


def _lay_ground(
    page: Page, look: Paint, corner: tuple[float, float], size: tuple[float, float]
) -> None:
    """What a storage stands on, a little larger than all that it holds."""
    (x, y), (width, height) = corner, size
    box = (x - GROUND, y - GROUND, width + 2 * GROUND, height + 2 * GROUND)
    page.boxes[look].append(box)
    page.reach(x + width)


def _part_of(section: Section, height: int = 0, room: int = CONTENT) -> Page:
    part = Page()
    part.height = _lay_out_section(part, section, 0, 0, height, room=room).bottom
    return part


def _lay_out_moved(page: Page, scene: Scene, grounds: dict[str, Paint], top: int) -> int:
    """Two sections with their strips face to face, and arrows from one to the other.

    The grids stand side by side above both strips, where there is room, and otherwise each on its
    side of its strip.
    """
    before, after = scene.sections
    heads = [_head_part(section, CONTENT) for section in scene.sections]
    if not _abreast(heads):
        heads = [_head_part(section, HALF) for section in scene.sections]
    abreast = _abreast(heads)
    drawn = Page()
    if abreast:
        height = ceil(max(head.height for head in heads))
        x = 0
        for section, head in zip(scene.sections, heads, strict=True):
            if section.storage:
                spot, size = (MARGIN + x, top), (head.width, height)
                _lay_ground(page, grounds[section.storage], spot, size)
            drawn.take(head, x, 0)
            x += ceil(head.width) + GRID_GAP
        low = height + STRIP_GAP + GROUND
        own, other = map(strips.plan, scene.sections)
        source = strips.paint_strips(drawn, own, 0, low, addresses_above=True)
        target = strips.paint_strips(drawn, other, 0, source.bottom + MOVES_GAP)
        spans = [(low, source.bottom), (target.top_of_slots - GROUND, target.bottom)]
    else:
        source = _lay_out_section(drawn, before, 0, 0, moved=True)
        target = _lay_out_section(drawn, after, 0, source.bottom + MOVES_GAP)
        spans = [(0, source.bottom), (target.top_of_slots - GROUND, target.bottom)]
    group_at = {
        slot.address: slot.group or 0 for slot in before.strips[0].slots if isinstance(slot, Slot)
    }
    ways = [
        (source.middles[start], target.middles[end], group_at[start]) for start, end in scene.moves
    ]
    paint_moves(drawn, ways, source.bottom_of_slots + 2, target.top_of_slots - 2)
    for section, (low, bottom) in zip(scene.sections, spans, strict=True):
        if section.storage:
            size = drawn.width, bottom - low
            _lay_ground(page, grounds[section.storage], (MARGIN, top + low), size)
    page.take(drawn, MARGIN, top)
    return top + target.bottom


def _head_part(section: Section, room: int) -> Page:
    """What stands over a section's strips, in so much room."""
    part = Page()
    low = _lay_out_label(part, section, 0, 0)
    part.height = _lay_out_grids(part, section, 0, low, room)
    return part


def _abreast(parts: Sequence[Page]) -> bool:
    """Whether some parts fit side by side."""
    return sum(ceil(part.width) + GRID_GAP for part in parts) - GRID_GAP <= CONTENT


def _strips_abreast(sections: Sequence[Section]) -> bool:
    """Whether their strips alone would fit side by side: those are as wide in any room."""
    plans = map(strips.plan, sections)
    ends = [max(map(each.end_of, each.rows), default=0) + GRID_GAP for each in plans]
    return sum(ends) - GRID_GAP <= CONTENT


def _lay_out_section(
    page: Page,
    section: Section,
    left: int,
    top: int,
    height: int = 0,
    *,
    moved: bool = False,
    room: int = CONTENT,
) -> Placed:
    """One memory with its tensors, whose grids take `height` at least, and `room` at most.

    `moved` leaves the strip's lower side free for arrows.
    """
    planned = strips.plan(section)
    if section.strip_first:
        placed = strips.paint_strips(page, planned, left, top)
        top = _lay_out_label(page, section, left, placed.bottom + STRIP_GAP)
        return placed._replace(bottom=_lay_out_grids(page, section, left, top))
    top = _lay_out_label(page, section, left, top)
    bottom = max(_lay_out_grids(page, section, left, top, room), top + height)
    return strips.paint_strips(page, planned, left, bottom + STRIP_GAP, addresses_above=moved)


def _lay_out_label(page: Page, section: Section, left: int, top: int) -> int:
    if section.label:
        page.write(LABEL, left, top + 8, section.label)
        top += 26
    for line in wrapped(section.told, NOTE, CONTENT) if section.told else ():
        page.write(NOTE, left, top + 2, line)
        top += 20
    return top


def _grid_rows(section: Section, room: int = CONTENT) -> list[list[GridPlan]]:
    """The grids from left to right, in as many rows as the room needs."""
    rows: list[list[GridPlan]] = []
    width = 0
    for grid in section.grids:
        measured = grids.plan(grid, section.storage, room)
        if not rows or width + measured.width > room:
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


def _lay_out_grids(page: Page, section: Section, left: int, top: int, room: int = CONTENT) -> int:
    for number, row in enumerate(_grid_rows(section, room)):
        if number:
            top += SECTION_GAP
        x, head = left, _head_of(row)
        for measured in row:
            grids.paint_grid(page, measured, x, top, head)
            x += measured.width + GRID_GAP
        top += _height_of([row])
    if section.more_grids:
        page.write(NOTE, left, top + 20, f"+{section.more_grids} more on this storage")
        top += 28
    return top
