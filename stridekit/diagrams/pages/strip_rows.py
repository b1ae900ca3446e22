"""One row of one strip on the page: slots, and what is told right above and below them."""

from collections.abc import Iterator
from itertools import cycle
from typing import Literal, NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.cell_styles import (
    VISIT,
    WRITTEN,
    WRITTEN_LEAST,
    paint_cells,
    paint_visit,
    style_of,
    written_side,
)
from stridekit.diagrams.pages.page import Box, Font, Page, PlacedCells, fitted, text_width
from stridekit.diagrams.pages.palette import LANES, THIN
from stridekit.diagrams.scenes.scene import Lane, Slot, Strip

SLOT = 28
ADDRESS_HEIGHT, BYTE_HEIGHT = 16, 14
BADGE_HEIGHT, VISIT_HEIGHT, LINE_HEIGHT = 22, 16, 20
LANE_HEIGHT, LANE_CLOSE, LANE_NAME = 16, 10, 200

VALUE = 12
ADDRESS = Font(10, "middle", mono=True, ink=palette.MUTED, fitted=False)
ROW = ADDRESS._replace(anchor="end")
CAPTION = Font(10, ink=palette.MUTED)
BADGE = Font(10, "middle", bold=True)
LINE = Font(10, "middle", ink=palette.MUTED)
LANE = Font(12, bold=True)
MORE = Font(12, ink=palette.MUTED)

Addresses = Literal["below", "above", "left"]


class Band(NamedTuple):
    """One strip's part of a row: its slots from left to right, with where each begins; their width.

    Addresses stand below the slots, or above them to leave the lower side to arrows; or the first
    one alone stands to the left, of a row that begins at `left`. The corners of written slots have
    sides of `corner`.
    """

    strip: Strip
    slots: list[Slot]
    xs: list[int]
    width: int
    corner: int = WRITTEN
    addresses: Addresses = "below"
    left: int = 0

    def middle_at(self) -> dict[int, float]:
        """The middle of each slot, by address."""
        half = self.width / 2
        return {slot.address: x + half for slot, x in zip(self.slots, self.xs, strict=True)}

    @property
    def end(self) -> int:
        """Where the last slot ends."""
        return self.xs[-1] + self.width

    def paint(self, page: Page, y: int) -> tuple[int, int]:
        """Paint from `y` down; gives the upper side of the slots, and where the band ends.

        From above: cache lines, badges or visits, addresses if they stand above, slots.
        """
        if self.strip.line:
            self._paint_lines(page, y + 16)
            y += LINE_HEIGHT
        y = self._paint_told(page, y)
        above = self.addresses == "above"
        height = ADDRESS_HEIGHT + BYTE_HEIGHT * (len(self._told_addresses()) - 1)
        top = y + (height if above else 0)
        boxes: list[Box] = [(x, top, self.width, SLOT) for x in self.xs]
        placed = PlacedCells(self.strip, self.slots, boxes, VALUE)
        paint_cells(page, placed, SLOT / 2, self.corner)
        if self.addresses == "left":
            for slot in self.slots[:1]:
                page.texts[ROW].append((self.left - 8, top + SLOT / 2, str(slot.address), ""))
            return top, top + SLOT
        self._paint_addresses(page, top - height + 7 if above else top + SLOT + 9)
        return top, top + SLOT + (2 if above else height)

    def _paint_told(self, page: Page, y: int) -> int:
        """Badges, or numbers of visits; gives where they end."""
        half = self.width / 2
        if any(slot.badge for slot in self.slots):
            y += BADGE_HEIGHT
            for slot, x in zip(self.slots, self.xs, strict=True):
                if slot.badge:
                    page.texts[BADGE].append((x + half, y - 14, slot.badge, ""))
                    if self.addresses != "above":
                        _paint_stack(page, slot, (x, y, self.width))
        elif any(slot.visit for slot in self.slots):
            y += VISIT_HEIGHT
            for slot, x in zip(self.slots, self.xs, strict=True):
                if slot.visit:
                    left = x + half - text_width(slot.visit, VISIT.size, mono=True) / 2
                    switch = "switch" in slot.marks
                    paint_visit(page, left, y - 9, slot.visit, palette.INK, switch=switch)
        return y

    def _told_addresses(self) -> dict[str, int]:
        """What each line of addresses counts, and the parts of an element that it counts in."""
        unit = self.strip.unit
        if not self.strip.in_bytes or not self.slots:
            return {"": 1}
        return {"byte": 1} if unit == 1 else {"position": 1, "byte": unit}

    def _paint_addresses(self, page: Page, y: float) -> None:
        """The address of each slot, in one line or in two."""
        half = self.width / 2
        for caption, parts in self._told_addresses().items():
            page.texts[ADDRESS] += [
                (x + half, y, str(slot.address * parts), "")
                for slot, x in zip(self.slots, self.xs, strict=True)
            ]
            if caption:
                page.write(CAPTION, self.end + 8, y, caption)
            y += BYTE_HEIGHT - 1

    def _paint_lines(self, page: Page, y: int) -> None:
        """A bracket over each cache line, with its number."""
        lines: dict[int, list[int]] = {}
        for slot, x in zip(self.slots, self.xs, strict=True):
            lines.setdefault(slot.address // self.strip.line, []).append(x)
        for number, xs in lines.items():
            x0, x1 = xs[0] + 2, xs[-1] + self.width - 2
            page.lines[THIN].append(((x0, y + 3), (x0, y), (x1, y), (x1, y + 3)))
            words = f"cache line {number}"
            if text_width(words, LINE.size) > x1 - x0:
                words = str(number)
            page.write(LINE, (x0 + x1) / 2, y - 8, words)

    def paint_lanes(self, page: Page, left: int, y: int, *, named: bool) -> int:
        """For each tensor a line under the slots that it reaches; gives where they end.

        Without their names they stand close together, in the order of those that have names.
        """
        strip = self.strip
        if not strip.lanes:
            return y
        y += 4
        height = LANE_HEIGHT if named else LANE_CLOSE
        for lane, pen in zip(strip.lanes, cycle(LANES), strict=False):
            if named:
                page.write(LANE, left, y + 4, lane_text(lane))
            for start, end in self._reached(lane):
                x0, x1 = start + 3, end - 3
                page.lines[pen].append(((x0, y + 4), (x1, y + 4)))
                page.lines[THIN] += [((x0, y), (x0, y + 8)), ((x1, y), (x1, y + 8))]
            y += height
        if strip.more_lanes and named:
            page.write(MORE, left, y + 4, f"+{strip.more_lanes} more")
            y += LANE_HEIGHT
        return y

    def _reached(self, lane: Lane) -> Iterator[tuple[int, int]]:
        """Where neighbouring slots that the lane reaches begin and end."""
        places = zip(self.slots, self.xs, strict=True)
        xs = {x for slot, x in places if slot.address in lane.addresses}
        starts = sorted(x for x in xs if x - self.width not in xs)
        ends = sorted(x + self.width for x in xs if x + self.width not in xs)
        yield from zip(starts, ends, strict=True)


def corner_of(strip: Strip, width: int) -> int:
    """The side of the corners of written slots: one for a whole strip of slots so wide."""
    slots = (slot for slot in strip.slots if isinstance(slot, Slot))
    longest = max((len(slot.text) for slot in slots if "written" in slot.marks), default=0)
    side = written_side(longest, width, VALUE, SLOT / 2)
    return min(max(side, WRITTEN_LEAST), WRITTEN)


def lane_text(lane: Lane) -> str:
    """What stands at a lane: the tensor's name, or as much of it as leaves room for the slots."""
    return fitted(lane.name, LANE, LANE_NAME)


def _paint_stack(page: Page, slot: Slot, place: tuple[int, int, int]) -> None:
    """The edges of further sheets behind a slot that several indices share."""
    x, top, width = place
    look, _ = style_of(slot.group, ("ghost",), VALUE)
    boxes = page.boxes[look._replace(dash="")]
    for up, inset in ((3, 2), (6, 5))[: 1 if slot.badge == "×2" else 2]:
        boxes.append((x + inset, top - up, width - 2 * inset, 3))
