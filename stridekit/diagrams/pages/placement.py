"""Where everything in a scene stands on the page."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Final

from stridekit.diagrams.pages import colours, strips
from stridekit.diagrams.pages.arrows import paint_moves, paint_tie
from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.grids import GridPart, plan_grid, plan_heatmap
from stridekit.diagrams.pages.legend import entries_of, paint_legend
from stridekit.diagrams.pages.page import (
    MARGIN,
    NOTE,
    WIDEST,
    Box,
    Font,
    Page,
    in_rows,
    paint_notes,
    paint_title,
    wrapped,
)
from stridekit.diagrams.scenes.scene import Scene, Section

# Air between grids, between a grid and its strip, and the other way round, between sections, for
# arrows between strips, above the notes and above the legend.
GRID_GAP, STRIP_GAP, GRID_BELOW, SECTION_GAP, MOVES_GAP = 36, 22, 4, 30, 84
# How far a storage's ground reaches beyond what stands on it.
GROUND = 8
NOTE_GAP, LEGEND_GAP, LABEL_HEIGHT = 16, 12, 26
LABEL: Final = Font(13, bold=True)


def lay_out(scene: Scene, width: int = WIDEST) -> Page:
    """The page that shows a scene, no wider than that where its cells can be made to fit."""
    page = Page(room=width - 2 * MARGIN)
    top = paint_title(page, scene.title, MARGIN, MARGIN)
    if len(scene.sections) == 1:
        top = SectionPlan(scene.sections[0], page.room).paint(page, top)
    else:
        top = _paint_sections(page, scene, top)
    if scene.notes:
        top = paint_notes(page, scene.notes, MARGIN, top + NOTE_GAP)
    if entries := entries_of(scene):
        top = paint_legend(page, entries, MARGIN, top + LEGEND_GAP)
    page.width = ceil(page.width) + MARGIN
    page.height = ceil(top) + MARGIN
    return page


class SectionPlan:
    """One memory with its tensors, measured: its grids in rows, and its strips.

    The grids, each with its map, stand from left to right, in as many rows as the room needs, which
    may be a part of the `widest` that there is. They end at `bottom` of a part of the page, and
    `ahead` of them is room for a label that stands beside them.
    """

    bottom = ahead = 0

    def __init__(self, section: Section, widest: int, room: int = 0) -> None:
        room = room or widest
        self.section, self.widest, self.strips = section, widest, strips.StripPlan(section, widest)
        parts: list[GridPart] = []
        for grid in section.grids:
            part = plan_grid(grid, section.storage, room, widest)
            parts.append(part)
            if grid.heatmap:
                heatmap = plan_heatmap(grid.heatmap)
                left = room - GRID_GAP - heatmap.width
                beside = plan_grid(grid, section.storage, left, widest)
                parts = [*parts[:-1], beside if beside.width <= left else part, heatmap]
        self.rows = in_rows(parts, lambda each: each.width, GRID_GAP, room)

    def paint(self, page: Page, top: int, low: int = 0) -> int:
        """Put it on a page, at its margin; gives its end. Its strips are no higher than `low`."""
        if self.section.strip_first:
            bottom = strips.paint_strips(page, self.strips, top)
            # Lanes and addresses bring air along.
            return self.paint_head(page, bottom + GRID_BELOW)
        self.bottom = max(self.paint_head(page, top), low)
        end = strips.paint_strips(page, self.strips, self.bottom + STRIP_GAP)
        if self.section.way:
            paint_tie(page, self.section, self.bottom + STRIP_GAP // 2)
        return end

    def paint_head(self, page: Page, top: int) -> int:
        """Put its label, what is told below it, and its grids on a page; gives where they end."""
        top += self.ahead
        if self.section.label:
            page.write(LABEL, MARGIN, top + 8, self.section.label)
            top += LABEL_HEIGHT
        for line in wrapped(self.section.told, NOTE, page.room):
            page.write(NOTE, MARGIN, top + 2, line)
            top += 20
        for number, row in enumerate(self.rows):
            top += SECTION_GAP if number else 0
            # Their cells begin at one height.
            above = max(part.above for _, part in row)
            for x, part in row:
                part.paint(page, MARGIN + x, top, above)
            top += above + max(part.below for _, part in row)
        if self.section.more_grids:
            page.write(NOTE, MARGIN, top + 20, f"+{self.section.more_grids} more on this storage")
            top += 28
        return top

    def part(self, low: int = 0, *, head_alone: bool = False) -> Page:
        """It as a page, which ends where it does; without its strips where these stand apart."""
        part = Page(room=self.widest)
        part.height = self.paint_head(part, 0) if head_alone else self.paint(part, 0, low)
        return part


def _paint_sections(page: Page, scene: Scene, top: int) -> int:
    """Several sections, each storage on a ground of its own; gives where they end.

    They stand from left to right, in as many rows as they need. Where arrows lead from one strip to
    another, these stand face to face below all grids.
    """
    letters = dict.fromkeys(each.storage for each in scene.sections if each.storage)
    grounds = {letter: colours.ground(number) for number, letter in enumerate(letters)}
    for look in grounds.values():
        # Below all that stands on it.
        page.boxes[look] = []
    top += GROUND - 2 if grounds and scene.title else 0
    sections = [each._replace(strip_first=False) for each in scene.sections]
    plans = [SectionPlan(each, page.room) for each in sections]
    # Arrows run between two rows of slots. Where there are more, fills have to tell alone.
    faced = bool(scene.moves) and all(len(each.strips.rows) == 1 for each in plans)
    parts = [each.part(head_alone=faced) for each in plans]
    if len(plans) == 2 and not _abreast(parts, page.room):
        # Before and after, or two storages: a little narrower they may fit side by side.
        half = (page.room - GRID_GAP) // 2
        narrow = [SectionPlan(each, page.room, half) for each in sections]
        narrow_parts = [each.part(head_alone=faced) for each in narrow]
        if _abreast(narrow_parts, page.room):
            plans, parts = narrow, narrow_parts
    rows = in_rows(
        zip(plans, parts, strict=True),
        lambda pair: _width(pair[1]),
        GRID_GAP,
        page.room,
        # After begins a row of its own, if not each of both is one part.
        lambda pair: pair[0].section.told or (pair[0].section.label and len(plans) > 2),
    )
    widest = max(row[-1][0] + _width(row[-1][1][1]) for row in rows)
    for number, row in enumerate(rows):
        top += SECTION_GAP if number else 0
        # Side by side, their grids and their strips stand at one height.
        if any(plan.section.label for _, (plan, _) in row):
            for _, (plan, _) in row:
                plan.ahead = 0 if plan.section.label else LABEL_HEIGHT
                plan.bottom += plan.ahead
        low = max(plan.bottom for _, (plan, _) in row)
        drawn = [
            part if plan.bottom == low and not plan.ahead else plan.part(low)
            for _, (plan, part) in row
        ]
        bottom = ceil(max(part.height for part in drawn))
        for (x, (plan, _)), part in zip(row, drawn, strict=True):
            # Those below each other are of one width.
            width = _width(part) if len(rows) < len(plans) else widest
            _lay_ground(page, grounds, plan, (MARGIN + x, top, width, bottom))
            page.take(part, x, top)
        top += bottom
    if faced:
        top = _paint_faced(page, scene, plans, grounds, top + STRIP_GAP + GROUND, widest)
    return top + GROUND if grounds else top


def _paint_faced(
    page: Page,
    scene: Scene,
    plans: Sequence[SectionPlan],
    grounds: Mapping[str, Paint],
    top: int,
    widest: int,
) -> int:
    """Two strips face to face, and arrows from one to the other; gives where they end."""
    before, after = (each.strips for each in plans)
    upper = strips.paint_strips(page, before, top)
    lower = upper + MOVES_GAP
    end = strips.paint_strips(page, after, lower, title_below=True)
    group_at = {slot.address: slot.group or 0 for slot in before.section.strips[0].slots}
    starts, ends = (each.rows[0].bands[0].middles for each in (before, after))
    ways = [(starts[start], ends[end], group_at[start]) for start, end in scene.moves]
    paint_moves(page, ways, upper + 2, lower - 2)
    widest = max(widest, before.end - MARGIN, after.end - MARGIN)
    for plan, start, stop in zip(plans, (top, lower - GROUND), (upper, end), strict=True):
        _lay_ground(page, grounds, plan, (MARGIN, start, widest, stop - start))
    return end


def _abreast(parts: Iterable[Page], room: float) -> bool:
    """Whether parts fit side by side."""
    return sum(_width(part) + GRID_GAP for part in parts) - GRID_GAP <= room


def _lay_ground(page: Page, grounds: Mapping[str, Paint], plan: SectionPlan, box: Box) -> None:
    """What a storage stands on, a little larger than all that it holds."""
    if plan.section.storage:
        x, y, width, height = box
        box = (x - GROUND, y - GROUND, width + 2 * GROUND, height + 2 * GROUND)
        page.boxes[grounds[plan.section.storage]].append(box)
        page.reach(x + width)


def _width(part: Page) -> int:
    """How wide a part of a page is, without the margin before it."""
    return ceil(part.width) - MARGIN
