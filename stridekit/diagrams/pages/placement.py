"""Where everything in a scene stands on the page."""

from collections.abc import Iterable
from math import ceil
from typing import Final

from stridekit.diagrams.pages import colours, strips
from stridekit.diagrams.pages.arrows import paint_moves, paint_tie
from stridekit.diagrams.pages.grids import GridPart, paint_grid, paint_heatmap
from stridekit.diagrams.pages.legend import entries_of, paint_legend
from stridekit.diagrams.pages.page import (
    MARGIN,
    NOTE,
    WIDEST,
    Font,
    Page,
    in_rows,
    paint_notes,
    paint_title,
    wrapped,
)
from stridekit.diagrams.pages.strips import Placed
from stridekit.diagrams.scenes.scene import Scene, Section

# Air between grids, between a grid and its strip, between sections, for arrows between strips,
# above the notes and above the legend.
GRID_GAP, STRIP_GAP, SECTION_GAP, MOVES_GAP = 36, 22, 30, 84
# How far a storage's ground reaches beyond what stands on it.
GROUND = 8
NOTE_GAP, LEGEND_GAP = 16, 12
LABEL: Final = Font(13, bold=True)


def lay_out(scene: Scene, width: int = WIDEST) -> Page:
    """The page that shows a scene, no wider than that where its cells can be made to fit."""
    page = Page(room=width - 2 * MARGIN)
    top = paint_title(page, scene.title, MARGIN, MARGIN)
    if len(scene.sections) == 1:
        top = SectionPlan(scene.sections[0], page.room).paint(page, top).bottom
    else:
        top = _Several(page, scene).paint(top)
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
    may be a part of the `widest` that there is.
    """

    def __init__(self, section: Section, widest: int, room: int = 0) -> None:
        room = room or widest
        self.section, self.widest, self.strips = section, widest, strips.plan(section, widest)
        parts: list[GridPart] = []
        for grid in section.grids:
            part = paint_grid(grid, section.storage, room, widest)
            parts.append(part)
            if grid.heatmap:
                heatmap = paint_heatmap(grid.heatmap)
                left = room - GRID_GAP - heatmap.width
                beside = paint_grid(grid, section.storage, left, widest)
                parts = [*parts[:-1], beside if beside.width <= left else part, heatmap]
        self.rows = in_rows(parts, lambda each: each.width, GRID_GAP, room)

    @property
    def grids_height(self) -> int:
        """The height of all rows of grids."""
        return sum(map(_height_of, self.rows)) + SECTION_GAP * (len(self.rows) - 1)

    def paint(self, page: Page, top: int, height: int = 0, *, moved: bool = False) -> Placed:
        """Put it on a page, at its margin. The grids take `height` at least.

        `moved` leaves the strip's lower side free for arrows.
        """
        if self.section.strip_first:
            placed = strips.paint_strips(page, self.strips, top)
            return placed._replace(bottom=self.paint_head(page, placed.bottom + STRIP_GAP))
        bottom = self.paint_head(page, top, height)
        placed = strips.paint_strips(page, self.strips, bottom + STRIP_GAP, addresses_above=moved)
        if self.section.way:
            paint_tie(page, self.section, bottom + STRIP_GAP // 2)
        return placed

    def paint_head(self, page: Page, top: int, height: int = 0) -> int:
        """Put its label, what is told below it, and its grids on a page; gives where they end."""
        if self.section.label:
            page.write(LABEL, MARGIN, top + 8, self.section.label)
            top += 26
        for line in wrapped(self.section.told, NOTE, page.room) if self.section.told else ():
            page.write(NOTE, MARGIN, top + 2, line)
            top += 20
        least = top + height
        for number, row in enumerate(self.rows):
            top += SECTION_GAP if number else 0
            for x, part in row:
                part.place(page, MARGIN + x, top, _head_of(row))
            top += _height_of(row)
        if self.section.more_grids:
            page.write(NOTE, MARGIN, top + 20, f"+{self.section.more_grids} more on this storage")
            top += 28
        return max(top, least)

    def part(self, height: int = 0) -> Page:
        """It alone, as a page, which ends where it does."""
        part = Page(room=self.widest)
        part.height = self.paint(part, 0, height).bottom
        return part

    def head(self) -> Page:
        """What stands over its strips, as a page."""
        head = Page(room=self.widest)
        head.height = self.paint_head(head, 0)
        return head


def _height_of(row: list[tuple[int, GridPart]]) -> int:
    return _head_of(row) + max(part.below for _, part in row)


def _head_of(row: list[tuple[int, GridPart]]) -> int:
    """The room above the cells, which begin at one height in a row."""
    return max(part.top for _, part in row)


class _Several:
    """Several sections on a page, each storage on a ground of its own."""

    def __init__(self, page: Page, scene: Scene) -> None:
        self.page, self.scene = page, scene
        # Room for each of two parts side by side.
        self.half = (page.room - GRID_GAP) // 2
        letters = dict.fromkeys(each.storage for each in scene.sections if each.storage)
        self.grounds = {letter: colours.ground(n) for n, letter in enumerate(letters)}
        for look in self.grounds.values():
            # Below all that stands on it.
            page.boxes[look] = []

    def paint(self, top: int) -> int:
        """Put them on the page; gives where they end."""
        scene = self.scene
        if self.grounds and scene.title:
            top += GROUND - 2
        plans = self._planned()
        # Arrows run between two rows of slots. Where there are more, fills have to tell alone.
        if scene.moves and all(len(each.strips.rows) == 1 for each in plans):
            top = self._paint_moved(plans, top)
        else:
            if scene.moves:
                # Then strips need not stand face to face.
                sections = (each._replace(strip_first=False) for each in scene.sections)
                self.scene = scene._replace(sections=tuple(sections))
                plans = self._planned()
            top = self._paint_rows(plans, top)
        return top + GROUND if self.grounds else top

    def _paint_rows(self, plans: list[SectionPlan], top: int) -> int:
        """The sections from left to right, in as many rows as they need."""
        parts = [each.part() for each in plans]
        if (
            len(plans) == 2
            and not self._abreast(map(_width, parts))
            and self._abreast([each.strips.end - MARGIN for each in plans])
        ):
            # Before and after, or two storages: a little narrower they may fit side by side.
            narrow = self._planned(self.half)
            narrow_parts = [each.part() for each in narrow]
            if self._abreast(map(_width, narrow_parts)):
                plans, parts = narrow, narrow_parts
        rows = in_rows(
            zip(plans, parts, strict=True),
            lambda pair: _width(pair[1]),
            GRID_GAP,
            self.page.room,
            # After begins a row of its own, if not each of both is one part.
            lambda pair: pair[0].section.told or (pair[0].section.label and len(plans) > 2),
        )
        alone = all(len(row) == 1 for row in rows)
        widest = max(_width(part) for part in parts)
        for number, row in enumerate(rows):
            top += SECTION_GAP if number else 0
            # Side by side, their strips stand at one height.
            height = max(planned.grids_height for _, (planned, _) in row)
            drawn = [
                part if planned.grids_height == height else planned.part(height)
                for _, (planned, part) in row
            ]
            bottom = ceil(max(part.height for part in drawn))
            for (x, (planned, part)), level in zip(row, drawn, strict=True):
                width = widest if alone else _width(part)
                self._lay_ground(planned, (MARGIN + x, top), (width, bottom))
                self.page.take(level, x, top)
            top += bottom
        return top

    def _paint_moved(self, plans: list[SectionPlan], top: int) -> int:
        """Two sections with their strips face to face, and arrows from one to the other.

        The grids stand side by side above both strips, where there is room, and otherwise each on
        its side of its strip.
        """
        before, after = plans
        heads = [each.head() for each in plans]
        if not self._abreast(map(_width, heads)):
            heads = [each.head() for each in self._planned(self.half)]
        drawn, low = Page(room=self.page.room), 0
        if self._abreast(map(_width, heads)):
            height = ceil(max(head.height for head in heads))
            x = MARGIN
            for planned, head in zip(plans, heads, strict=True):
                self._lay_ground(planned, (x, top), (head.width - MARGIN, height))
                drawn.take(head, x - MARGIN, 0)
                x += _width(head) + GRID_GAP
            low = height + STRIP_GAP + GROUND
            source = strips.paint_strips(drawn, before.strips, low, addresses_above=True)
            target = strips.paint_strips(drawn, after.strips, source.bottom + MOVES_GAP)
        else:
            source = before.paint(drawn, 0, moved=True)
            target = after.paint(drawn, source.bottom + MOVES_GAP)
        group_at = {slot.address: slot.group or 0 for slot in before.section.strips[0].slots}
        starts, ends = (each.strips.rows[0].bands[0].middles for each in plans)
        ways = [(starts[start], ends[end], group_at[start]) for start, end in self.scene.moves]
        paint_moves(drawn, ways, source.bottom_of_slots + 2, target.top_of_slots - 2)
        spans = (low, source.bottom), (target.top_of_slots - GROUND, target.bottom)
        for planned, (upper, lower) in zip(plans, spans, strict=True):
            self._lay_ground(planned, (MARGIN, top + upper), (drawn.width - MARGIN, lower - upper))
        self.page.take(drawn, 0, top)
        return top + target.bottom

    def _planned(self, room: int = 0) -> list[SectionPlan]:
        """The sections, measured; in less room than the page's where that is given."""
        return [SectionPlan(each, self.page.room, room) for each in self.scene.sections]

    def _abreast(self, widths: Iterable[int]) -> bool:
        """Whether parts so wide fit side by side."""
        return sum(width + GRID_GAP for width in widths) - GRID_GAP <= self.page.room

    def _lay_ground(
        self, planned: SectionPlan, corner: tuple[float, float], size: tuple[float, float]
    ) -> None:
        """What a storage stands on, a little larger than all that it holds."""
        if not planned.section.storage:
            return
        (x, y), (width, height) = corner, size
        box = (x - GROUND, y - GROUND, width + 2 * GROUND, height + 2 * GROUND)
        self.page.boxes[self.grounds[planned.section.storage]].append(box)
        self.page.reach(x + width)


def _width(part: Page) -> int:
    """How wide a part of a page is, without the margin before it."""
    return ceil(part.width) - MARGIN
