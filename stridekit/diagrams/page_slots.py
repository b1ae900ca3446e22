"""One row of one strip on the page: slots, and what is told right above and below them."""

from collections.abc import Iterator
from itertools import groupby, repeat
from operator import itemgetter
from typing import Literal, NamedTuple

from stridekit.diagrams import palette
from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.page_cells import VISIT, paint_cells, paint_visit
from stridekit.diagrams.palette import LANES, Pen, paint
from stridekit.diagrams.scene import Lane, Slot, Strip
from stridekit.diagrams.sheet import Font, Sheet

SLOT = 28
ADDRESS_HEIGHT, BYTE_HEIGHT = 16, 14
BADGE_HEIGHT, VISIT_HEIGHT, LINE_HEIGHT = 22, 16, 20
LANE_HEIGHT = 16

VALUE = 12
ADDRESS = Font(10, "middle", mono=True, ink=palette.MUTED, fitted=False)
ROW = ADDRESS._replace(anchor="end")
CAPTION = Font(10, ink=palette.MUTED)
BADGE = Font(10, "middle", bold=True)
LINE = Font(10, "middle", ink=palette.MUTED)
LANE = Font(12, bold=True)
MORE = Font(12, ink=palette.MUTED)
THIN = Pen()

Addresses = Literal["below", "above", "left"]


class Band(NamedTuple):
    """One strip's part of a row: its slots from left to right, where each begins, their width.

    Addresses stand below the slots, or above them to leave the lower side to arrows; or the first
    one alone stands to the left, of a row that begins at `left`.
    """

    strip: Strip
    slots: list[Slot]
    xs: list[int]
    width: int
    addresses: Addresses = "below"
    left: int = 0

    @property
    def middles(self) -> list[float]:
        """The middle of each slot."""
        half = self.width / 2
        return [x + half for x in self.xs]

    def middle_at(self) -> dict[int, float]:
        """The middle of each slot, by address."""
        return dict(zip((slot.address for slot in self.slots), self.middles, strict=True))

    def paint(self, sheet: Sheet, y: int) -> tuple[int, int]:
        """Paint from `y` down; gives the upper side of the slots, and where the band ends.

        From above: cache lines, badges or visits, addresses if they stand above, slots.
        """
        if self.strip.line:
            self._paint_lines(sheet, y + 16)
            y += LINE_HEIGHT
        y = self._paint_told(sheet, y)
        above = self.addresses == "above"
        top = y + (ADDRESS_HEIGHT if above else 0)
        start = 0
        for state, run in groupby(self.slots, key=itemgetter(2, 3)):
            texts = [slot[1] for slot in run]
            xs = self.xs[start : start + len(texts)]
            start += len(texts)
            size = self.width, SLOT
            paint_cells(sheet, state, (xs, [top] * len(xs)), size, texts, VALUE, SLOT / 2)
        if self.addresses == "left":
            for slot in self.slots[:1]:
                sheet.texts[ROW].add(self.left - 8, top + SLOT / 2, str(slot.address))
            return top, top + SLOT
        address_y = top - 9 if above else top + SLOT + 9
        self._paint_addresses(sheet, address_y, 1)
        bottom = top + SLOT + (2 if above else ADDRESS_HEIGHT)
        if self.strip.in_bytes and self.slots:
            bottom = self._paint_bytes(sheet, address_y, bottom)
        return top, bottom

    def _paint_told(self, sheet: Sheet, y: int) -> int:
        """Badges, or numbers of visits; gives where they end."""
        told = {slot[4:6] for slot in self.slots}
        if any(badge for badge, _ in told):
            y += BADGE_HEIGHT
            for slot, x, middle in zip(self.slots, self.xs, self.middles, strict=True):
                if slot.badge:
                    sheet.texts[BADGE].add(middle, y - 14, slot.badge)
                    if self.addresses != "above":
                        _paint_stack(sheet, slot, (x, y, self.width))
        elif any(visit for _, visit in told):
            y += VISIT_HEIGHT
            for slot, middle in zip(self.slots, self.middles, strict=True):
                if slot.visit:
                    left = middle - text_width(slot.visit, VISIT.size, mono=True) / 2
                    switch = "switch" in slot.marks
                    paint_visit(sheet, left, y - 9, slot.visit, palette.INK, switch=switch)
        return y

    def _paint_addresses(self, sheet: Sheet, y: float, unit: int) -> None:
        """The address of each slot, counted in so many parts."""
        runs = sheet.texts[ADDRESS]
        runs.xs += self.middles
        runs.ys += repeat(y, len(self.slots))
        runs.texts += [str(slot[0] * unit) for slot in self.slots]

    def _paint_bytes(self, sheet: Sheet, address_y: float, bottom: int) -> int:
        """The address of each slot in bytes, and what each line of addresses counts."""
        end = self.xs[-1] + self.width + 8
        unit = self.strip.unit
        if unit == 1:
            sheet.write(CAPTION, end, address_y, "byte")
            return bottom
        sheet.write(CAPTION, end, address_y, "position")
        sheet.write(CAPTION, end, bottom + 6, "byte")
        self._paint_addresses(sheet, bottom + 6, unit)
        return bottom + BYTE_HEIGHT

    def _paint_lines(self, sheet: Sheet, y: int) -> None:
        """A bracket over each cache line, with its number."""
        lines: dict[int, list[int]] = {}
        for slot, x in zip(self.slots, self.xs, strict=True):
            lines.setdefault(slot.address // self.strip.line, []).append(x)
        for number, xs in lines.items():
            x0, x1 = xs[0] + 2, xs[-1] + self.width - 2
            sheet.lines[THIN].append(((x0, y + 3), (x0, y), (x1, y), (x1, y + 3)))
            words = f"cache line {number}"
            if text_width(words, LINE.size) > x1 - x0:
                words = str(number)
            sheet.write(LINE, (x0 + x1) / 2, y - 8, words)

    def paint_lanes(self, sheet: Sheet, left: int, y: int) -> int:
        """For each tensor a line under the slots that it reaches; gives where they end."""
        strip = self.strip
        if not strip.lanes:
            return y
        y += 4
        for lane, pen in zip(strip.lanes, LANES, strict=False):
            sheet.write(LANE, left, y + 4, lane.name)
            for start, end in self._reached(lane):
                x0, x1 = start + 3, end - 3
                sheet.lines[pen].append(((x0, y + 4), (x1, y + 4)))
                sheet.lines[THIN] += [((x0, y), (x0, y + 8)), ((x1, y), (x1, y + 8))]
            y += LANE_HEIGHT
        if strip.more_lanes:
            sheet.write(MORE, left, y + 4, f"+{strip.more_lanes} more")
            y += LANE_HEIGHT
        return y

    def _reached(self, lane: Lane) -> Iterator[tuple[int, int]]:
        """Where neighbouring slots that the lane reaches begin and end."""
        xs = {x for slot, x in zip(self.slots, self.xs, strict=True) if slot[0] in lane.addresses}
        starts = sorted(x for x in xs if x - self.width not in xs)
        ends = sorted(x + self.width for x in xs if x + self.width not in xs)
        yield from zip(starts, ends, strict=True)


def _paint_stack(sheet: Sheet, slot: Slot, place: tuple[int, int, int]) -> None:
    """The edges of further sheets behind a slot that several indices share."""
    x, top, width = place
    look = paint(slot.group, ghost=True, unwritten=False, outside=False)._replace(dash="")
    for up, inset in ((3, 2), (6, 5))[: 1 if slot.badge == "×2" else 2]:
        sheet.boxes[look].add(x + inset, top - up, width - 2 * inset, 3)
