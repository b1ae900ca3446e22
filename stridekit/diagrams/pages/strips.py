"""Where the strips of a section stand on the page: in rows that share their columns.

An element stands above its bytes.
"""

from collections.abc import Iterator
from itertools import cycle, groupby
from math import ceil
from typing import Literal, NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.arrows import Arrows, SlotRow
from stridekit.diagrams.pages.cell_styles import (
    VISIT,
    WRITTEN,
    WRITTEN_LEAST,
    paint_cells,
    paint_visit,
    style_of,
    written_side,
)
from stridekit.diagrams.pages.page import (
    CONTENT,
    LETTER_WIDTH,
    Box,
    Font,
    Page,
    PlacedCells,
    fitted,
    paint_letter,
    text_width,
)
from stridekit.diagrams.pages.palette import LANES, THIN
from stridekit.diagrams.scenes.captions import count
from stridekit.diagrams.scenes.scene import Break, Lane, Section, Slot, Strip

BYTE = 24
# A strip of more slots tells the address of each row alone.
COMPACT_FROM = 65
SLOTS_PER_ROW = 32
# So many slots fit a row if they are a little narrower.
NARROW = CONTENT // SLOTS_PER_ROW
# Behind a row, for what its addresses count.
CAPTION_ROOM = 56
TITLE_HEIGHT, ROW_GAP, COMPACT_GAP, STRIP_GAP, LANE_GAP = 20, 14, 4, 6, 12
TITLE = Font(12)
BREAK = Font(12, "middle", ink=palette.MUTED)
NOTHING = Font(12, ink=palette.MUTED)
SLOT = 28
ADDRESS_HEIGHT, BYTE_HEIGHT = 16, 14
BADGE_HEIGHT, VISIT_HEIGHT, LINE_HEIGHT = 22, 16, 20
LANE_HEIGHT, LANE_NAME = 16, 200

VALUE = 12
ADDRESS = Font(10, "middle", mono=True, ink=palette.MUTED, fitted=False)
ROW = ADDRESS._replace(anchor="end")
CAPTION = Font(10, ink=palette.MUTED)
BADGE = Font(10, "middle", bold=True)
LINE = Font(10, "middle", ink=palette.MUTED)
LANE = Font(12, bold=True)

# Below the slots; above them, which leaves the lower side to arrows; or the first one alone, to the
# left of the row.
Addresses = Literal["below", "above", "left"]


class StripRow(NamedTuple):
    """A row of the strips: its columns, each by its number, counted in frames, and where it begins.

    `breaks` are where memory is left out: their x, their width, and so many slots of the first
    strip.
    """

    columns: list[tuple[int, int]]
    breaks: list[tuple[int, int, int]]


class StripPlan(NamedTuple):
    """The measures of a section's strips. `frame` is what a column is, in bytes.

    `left` is the room for names before the rows. A `compact` strip tells the address of each
    row's first slot alone, there.
    """

    section: Section
    frame: int
    width: int
    rows: list[StripRow]
    left: int
    compact: bool

    def row_of(self, address: int) -> int | None:
        """The row where a slot of the first strip stands; None if it is left out."""
        frame = address * self.section.strips[0].unit // self.frame
        for number, row in enumerate(self.rows):
            if any(column == frame for column, _ in row.columns):
                return number
        return None

    def end_of(self, row: StripRow) -> int:
        """Where a row ends, from the left."""
        columns = [x + self.width for _, x in row.columns[-1:]]
        return max(columns + [x + width for x, width, _ in row.breaks[-1:]])


class Placed(NamedTuple):
    """Where the strips came to stand: their end, and the sides of the first one's slots.

    `middles` has their middles by address, where arrows come or go.
    """

    bottom: int
    top_of_slots: int
    bottom_of_slots: int
    middles: dict[int, float]


def plan(section: Section) -> StripPlan:
    """Measure the strips of a section."""
    strips = section.strips
    frame = max(strip.unit for strip in strips)
    parts = frame // min(strip.unit for strip in strips)
    many = len(strips) == 1 and len(strips[0].slots) > SLOTS_PER_ROW // 2
    width = max(_slot_width(strip, many=many) * (frame // strip.unit) for strip in strips)
    # The smallest slots have whole widths too.
    width = -(-width // parts) * parts
    names = [
        text_width(_lane_text(lane), LANE.size, bold=True)
        for strip in strips
        for lane in strip.lanes
    ]
    runs = _runs(strips, frame)
    compact = len(strips) == 1 and sum(columns for _, columns, _ in runs) >= COMPACT_FROM
    if compact:
        # The addresses of the rows stand where names do.
        longest = str(max(abs(runs[0][0]), sum(runs[-1][:2])))
        names.append(text_width(longest, ADDRESS.size, mono=True))
    left = ceil(max(names)) + LANE_GAP if names else 0
    end = CONTENT - (CAPTION_ROOM if any(strip.in_bytes for strip in strips) else 0)
    per_row = _per_row(strips[0], frame, width, end - left)
    rows = _rows(runs, width, left, per_row, end)
    return StripPlan(section, frame, width, rows, left, compact)


def _slot_width(strip: Strip, *, many: bool) -> int:
    slots = [slot for slot in strip.slots if isinstance(slot, Slot)]
    longest = max([len(slot.text) for slot in slots], default=0)
    badge = max([len(slot.badge) for slot in slots], default=0)
    visit = max([len(slot.visit) for slot in slots], default=0)
    # Addresses ascend, so the first or the last is the longest.
    ends = [slot.address * (strip.unit if strip.in_bytes else 1) for slot in slots[:1] + slots[-1:]]
    digits = max((len(str(address)) for address in ends), default=0)
    return max(
        BYTE if strip.unit == 1 and longest <= 2 else NARROW if many else SLOT,
        ceil(longest * VALUE * 0.602) + 5,
        ceil(digits * ADDRESS.size * 0.602) + 6,
        ceil(badge * BADGE.size * 0.7) + 8,
        ceil(visit * VISIT.size * 0.602) + 8,
    )


def _runs(strips: tuple[Strip, ...], frame: int) -> list[tuple[int, int, int]]:
    """Columns side by side, and breaks: the first column, how many, and the slots left out."""
    base = strips[0]
    largest = base if base.unit == frame else next(s for s in strips if s.unit == frame)
    runs: list[tuple[int, int, int]] = []
    for _, alike in groupby(largest.slots, type):
        first, *others = alike
        if isinstance(first, Break):
            runs.append((first.first, 0, first.length * (frame // base.unit)))
        else:
            runs.append((first.address, 1 + len(others), 0))
    if len(strips) > 1:
        # The rest of a memory that is no whole number of the largest elements.
        end = sum(runs[-1][:2]) if runs else 0
        ends = [item.address * s.unit // frame for s in strips for item in s.slots[-1:]
                if isinstance(item, Slot)]  # fmt: skip
        if max(ends, default=-1) >= end and not (runs and runs[-1][2]):
            runs.append((end, max(ends) + 1 - end, 0))
    return runs


def _per_row(strip: Strip, frame: int, width: int, room: int) -> int:
    """How many columns a row has: a power of two, so that rows begin at round positions."""
    most = max(min(room // width, SLOTS_PER_ROW), 1)
    if len(strip.slots) <= most:
        return most
    if strip.line and strip.unit == frame and strip.line <= most:
        return most // strip.line * strip.line
    return 1 << (most.bit_length() - 1)


def _rows(
    runs: list[tuple[int, int, int]], width: int, left: int, per_row: int, end: int
) -> list[StripRow]:
    """The runs in rows of so many columns, that end before `end`.

    Where memory is left out, a run stays together if a row has room for it.
    """
    rows: list[StripRow] = []
    x, free = end, 0
    for first, columns, left_out in runs:
        needed = ceil(text_width(_words(left_out), BREAK.size)) + 16 if left_out else width
        together = len(runs) > 1 and columns <= min(per_row, (end - left) // width)
        if together and columns > min(free, (end - x) // width):
            free = 0
        for number in range(first, first + (columns or 1)):
            if x + needed > end or not free:
                rows.append(StripRow([], []))
                x, free = left, per_row
            if left_out:
                rows[-1].breaks.append((x, needed, left_out))
            else:
                rows[-1].columns.append((number, x))
                free -= 1
            x += needed
    return rows


def _words(left_out: int) -> str:
    return f"⋯ {count(left_out, 'element')} ⋯"


def paint_strips(
    page: Page, planned: StripPlan, left: int, top: int, *, addresses_above: bool = False
) -> Placed:
    """Put the strips on the page; `top` is where their title begins.

    With `addresses_above` the first strip's lower side is left to arrows.
    """
    section = planned.section
    if not planned.rows:
        page.write(TITLE, left, top + 8, section.strips[0].title)
        page.write(NOTHING, left, top + 28, "(no memory)")
        page.height = max(page.height, top + 40)
        return Placed(top + 40, 0, 0, {})
    strips, first_row = section.strips, planned.rows[0]
    where: Addresses = "left" if planned.compact else "below"
    bands = [_Band(planned, strip, where, left) for strip in strips]
    if addresses_above and not planned.compact:
        bands[0].addresses = "above"
    arrows = Arrows(section.hops, planned.row_of)
    middles: dict[int, float] = {}
    placed = Placed(top, 0, 0, middles)
    y = top
    for number, row in enumerate(planned.rows):
        if row is not first_row:
            y += COMPACT_GAP if planned.compact else ROW_GAP
        for strip, band in zip(strips, bands, strict=True):
            first = strip is strips[0]
            if not first:
                y += STRIP_GAP
            if row is first_row and not section.strip_first:
                _paint_title(page, strip, planned, left + planned.left, y)
                y += TITLE_HEIGHT
            slots = band.begin(row)
            if first:
                y = arrows.paint_above(page, number, slots, left, y)
            slots_top, y = band.paint(page, y)
            for x, width, left_out in row.breaks:
                words = _words(left_out)
                page.write(BREAK, left + x + width / 2, slots_top + SLOT / 2, words)
            if first:
                if row is first_row:
                    placed = placed._replace(top_of_slots=slots_top)
                placed = placed._replace(bottom_of_slots=slots_top + SLOT)
                middles |= slots.middles
                y = arrows.paint_below(page, number, slots, left, y)
            y = band.paint_lanes(page, y)
        page.reach(left + planned.end_of(row))
    if section.strip_first:
        # Arrows come from above, so the title stands below.
        _paint_title(page, strips[0], planned, left + planned.left, y + 4)
        y += TITLE_HEIGHT
    page.height = max(page.height, y)
    return placed._replace(bottom=y)


def _paint_title(page: Page, strip: Strip, planned: StripPlan, x: int, y: int) -> None:
    """A strip's title, the first one's behind its storage's letter if there are several storages.

    One that runs on in another row says so, lest it be taken for two.
    """
    section, rows = planned.section, len(planned.rows)
    if section.storage and strip is section.strips[0]:
        paint_letter(page, x, y, section.storage)
        x += LETTER_WIDTH
    page.write(TITLE, x, y + 8, f"{strip.title}, in {rows} rows" if rows > 1 else strip.title)


class _Band:
    """One strip, row by row: the slots of the row that was begun, and where each stands."""

    def __init__(self, planned: StripPlan, strip: Strip, addresses: Addresses, left: int) -> None:
        self.strip, self.addresses, self.planned, self.left = strip, addresses, planned, left
        self.width = planned.width // (planned.frame // strip.unit)
        slots = [slot for slot in strip.slots if isinstance(slot, Slot)]
        self._by_address = {slot.address: slot for slot in slots}
        # The corners of written slots are alike in the whole strip.
        longest = max((len(slot.text) for slot in slots if "written" in slot.marks), default=0)
        side = written_side(longest, self.width, VALUE, SLOT / 2)
        self.corner = min(max(side, WRITTEN_LEAST), WRITTEN)

    def begin(self, row: StripRow) -> SlotRow:
        """Go on to a row; gives where its slots are."""
        self.slots: list[Slot] = []
        self.xs: list[int] = []
        ratio = self.planned.frame // self.strip.unit
        for column, x in row.columns:
            for part in range(ratio):
                # Where a strip ends there may be columns that it does not fill.
                if slot := self._by_address.get(column * ratio + part):
                    self.slots.append(slot)
                    self.xs.append(self.left + x + part * self.width)
        half, addresses = self.width / 2, [slot.address for slot in self.slots]
        middles = {address: x + half for address, x in zip(addresses, self.xs, strict=True)}
        self.end = self.xs[-1] + self.width if self.xs else 0
        return SlotRow(middles, self.xs[0] if self.xs else 0, self.end)

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
            before = self.left + self.planned.left - 8
            for slot in self.slots[:1]:
                page.texts[ROW].append((before, top + SLOT / 2, str(slot.address), ""))
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

    def paint_lanes(self, page: Page, y: int) -> int:
        """For each tensor its name, and a line under the slots that it reaches; gives the end."""
        strip = self.strip
        if not strip.lanes:
            return y
        y += 4
        for lane, pen in zip(strip.lanes, cycle(LANES), strict=False):
            page.write(LANE, self.left, y + 4, _lane_text(lane))
            for start, end in self._reached(lane):
                x0, x1 = start + 3, end - 3
                page.lines[pen].append(((x0, y + 4), (x1, y + 4)))
                page.lines[THIN] += [((x0, y), (x0, y + 8)), ((x1, y), (x1, y + 8))]
            y += LANE_HEIGHT
        if strip.more_lanes:
            page.write(NOTHING, self.left, y + 4, f"+{strip.more_lanes} more")
            y += LANE_HEIGHT
        return y

    def _reached(self, lane: Lane) -> Iterator[tuple[int, int]]:
        """Where neighbouring slots that the lane reaches begin and end."""
        places = zip(self.slots, self.xs, strict=True)
        xs = {x for slot, x in places if slot.address in lane.addresses}
        starts = sorted(x for x in xs if x - self.width not in xs)
        ends = sorted(x + self.width for x in xs if x + self.width not in xs)
        yield from zip(starts, ends, strict=True)


def _lane_text(lane: Lane) -> str:
    """What stands at a lane: the tensor's name, or as much of it as leaves room for the slots."""
    return fitted(lane.name, LANE, LANE_NAME)


def _paint_stack(page: Page, slot: Slot, place: tuple[int, int, int]) -> None:
    """The edges of further sheets behind a slot that several indices share."""
    x, top, width = place
    look, _ = style_of(slot.group, ("ghost",), VALUE)
    boxes = page.boxes[look._replace(dash="")]
    for up, inset in ((3, 2), (6, 5))[: 1 if slot.badge == "×2" else 2]:
        boxes.append((x + inset, top - up, width - 2 * inset, 3))
