"""Where the strips of a section stand on the page: in rows that share their columns.

An element stands above its bytes.
"""

from dataclasses import dataclass, field
from itertools import cycle, pairwise
from math import ceil

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.arrows import Band, paint_hops
from stridekit.diagrams.pages.cell_styles import VISIT, paint_cells, paint_visit, style_of
from stridekit.diagrams.pages.colours import LANES, THIN
from stridekit.diagrams.pages.page import (
    CONTENT,
    LETTER_WIDTH,
    MARGIN,
    Box,
    Font,
    Page,
    PlacedCells,
    fitted,
    paint_letter,
)
from stridekit.diagrams.scenes.scene import Section, Slot, Strip
from stridekit.layouts.layout import count

# A strip of more slots tells the address of each row alone.
COMPACT_FROM = 65
SLOTS_PER_ROW = 32
# How wide a slot is at least, and one of a byte.
WIDE, BYTE = CONTENT // SLOTS_PER_ROW, 24
# Behind a row, for what its addresses count.
CAPTION_ROOM = 56
TITLE_HEIGHT, ROW_GAP, COMPACT_GAP, STRIP_GAP, LANE_GAP = 20, 14, 4, 6, 12
TITLE = Font(12)
BREAK = Font(12, "middle", ink=colours.MUTED)
NOTHING = Font(12, ink=colours.MUTED)
SLOT = 28
ADDRESS_HEIGHT, BYTE_HEIGHT = 16, 14
BADGE_HEIGHT, VISIT_HEIGHT, LINE_HEIGHT = 22, 16, 20
LANE_HEIGHT = 16
# Names of lanes stand before their lines, or above them where that would move the strip too far.
LANE_NAME = 140

VALUE = 12
ADDRESS = Font(10, "middle", mono=True, ink=colours.MUTED, fitted=False)
ROW = ADDRESS._replace(anchor="end")
CAPTION = Font(10, ink=colours.MUTED)
BADGE = Font(10, "middle", bold=True)
LINE = Font(10, "middle", ink=colours.MUTED)
LANE = Font(12, bold=True)


@dataclass(slots=True)
class StripRow:
    """A row: where it ends, a band of each strip, and its breaks: their middles and words."""

    end: int
    bands: list[Band] = field(default_factory=list)
    breaks: list[tuple[float, str]] = field(default_factory=list)


class StripPlan:
    """A section's strips in rows, for a page of so much room.

    The first slot stands at `left`, behind the names of lanes. A `compact` strip tells the address
    of each row's first slot alone, before it. Long `names_above` lanes do not push it out of line.
    """

    def __init__(self, section: Section, room: int = CONTENT) -> None:
        strips = section.strips
        self.section, self.rows = section, list[StripRow]()
        frame = max(strip.unit for strip in strips)
        parts = frame // min(strip.unit for strip in strips)
        width = max(_slot_width(strip) * (frame // strip.unit) for strip in strips)
        # The smallest slots have whole widths too.
        width = -(-width // parts) * parts
        names = [LANE.width(lane.name) for strip in strips for lane in strip.lanes]
        self.names_above = max(names, default=0) > min(LANE_NAME, room // 4)
        if self.names_above:
            names = []
        shown = sorted({each.address * of.unit // frame for of in strips for each in of.slots})
        self.compact = len(strips) == 1 and len(shown) >= COMPACT_FROM
        if self.compact:
            # The addresses of the rows stand where names do.
            longest = str(max(abs(shown[0]), shown[-1] + 1))
            names.append(ADDRESS.width(longest))
        self.left = MARGIN + (ceil(max(names)) + LANE_GAP if names else 0)
        limit = MARGIN + room - (CAPTION_ROOM if any(strip.in_bytes for strip in strips) else 0)
        columns = self._columns(shown, frame, width, limit)
        self.end = max((row.end for row in self.rows), default=MARGIN)
        for strip in strips:
            ratio = frame // strip.unit
            bands = [Band(strip, width // ratio, [], []) for _ in self.rows]
            for slot in strip.slots:
                place, x = columns[slot.address // ratio]
                bands[place].slots.append(slot)
                bands[place].xs.append(x + slot.address % ratio * (width // ratio))
            for row, band in zip(self.rows, bands, strict=True):
                row.bands.append(band)

    def _columns(
        self, shown: list[int], frame: int, width: int, limit: int
    ) -> dict[int, tuple[int, int]]:
        """Makes rows of the columns that are shown; gives the row and the x of each.

        Where memory is left out, a run of neighbours stays together if a row has room for it.
        """
        first, *_ = strips = self.section.strips
        largest = next(strip for strip in strips if strip.unit == frame)
        # Neighbours together: where each run of them begins, and how long it is.
        begins = [n for n, at in enumerate(shown) if not n or shown[n - 1] != at - 1]
        runs = [(shown[n], end - n, "") for n, end in pairwise([*begins, len(shown)])]
        for start, length in largest.breaks:
            words = f"⋯ {count(length * (frame // first.unit), 'element')} ⋯"
            runs.append((start, 1, words))
        fitting = (limit - self.left) // width
        per_row = _per_row(first, frame, fitting)
        columns: dict[int, tuple[int, int]] = {}
        x, free = limit, 0
        for start, length, words in sorted(runs):
            needed = ceil(BREAK.width(words)) + 16 if words else width
            together = len(runs) > 1 and length <= per_row
            if together and not words and length > min(free, (limit - x) // width):
                free = 0
            for column in range(start, start + length):
                if x + needed > limit or not free:
                    self.rows.append(StripRow(self.left))
                    x, free = self.left, per_row
                if words:
                    self.rows[-1].breaks.append((x + needed / 2, words))
                else:
                    columns[column] = len(self.rows) - 1, x
                    free -= 1
                x += needed
                self.rows[-1].end = x
        return columns


def _slot_width(strip: Strip) -> int:
    slots = strip.slots or [Slot(0, "", None)]
    addresses, texts, _, _, badges, visits = zip(*slots, strict=True)
    longest, badge, visit = (max(map(len, column)) for column in (texts, badges, visits))
    # Addresses ascend, so the first or the last is the longest.
    count_by = strip.unit if strip.in_bytes else 1
    digits = max(len(str(address * count_by)) for address in (addresses[0], addresses[-1]))
    return max(
        BYTE if strip.unit == 1 and longest <= 2 else WIDE,
        ceil(longest * VALUE * 0.602) + 5,
        ceil(digits * ADDRESS.size * 0.602) + 6,
        ceil(badge * BADGE.size * 0.7) + 8,
        ceil(visit * VISIT.size * 0.602) + 8,
    )


def _per_row(strip: Strip, frame: int, most: int) -> int:
    """How many columns a row has: a power of two, so that rows begin at round positions.

    As many as fit where all do, and where what is left out makes positions uneven anyway.
    """
    most = max(min(most, SLOTS_PER_ROW), 1)
    if strip.breaks or len(strip.slots) <= most:
        return most
    if strip.line and strip.unit == frame and strip.line <= most:
        return most // strip.line * strip.line
    return 1 << (most.bit_length() - 1)


def paint_strips(page: Page, planned: StripPlan, top: int, *, title_below: bool = False) -> int:
    """Put the strips on the page, from `top` down; gives where they end.

    The title of the first one stands below where arrows come from above.
    """
    section, strips = planned.section, planned.section.strips
    if not planned.rows:
        page.write(TITLE, MARGIN, top + 8, strips[0].title)
        page.write(NOTHING, MARGIN, top + 28, "(no memory)")
        return top + 40
    shown = {slot.address for slot in strips[0].slots}
    hops = [hop for hop in section.hops if hop.start in shown and hop.end in shown]
    y = top
    for number, row in enumerate(planned.rows):
        if number:
            y += COMPACT_GAP if planned.compact else ROW_GAP
        for band in row.bands:
            first = band is row.bands[0]
            if not first:
                y += STRIP_GAP
            if not number and not (title_below and first):
                _paint_title(page, band.strip, planned, y)
                y += TITLE_HEIGHT
            slots_top, y = _paint_band(page, band, y, addressed=not planned.compact)
            for slot in band.slots[: int(planned.compact)]:
                spot = planned.left - 8, slots_top + SLOT / 2
                page.texts[ROW].append((*spot, str(slot.address), ""))
            for middle, words in row.breaks:
                page.write(BREAK, middle, slots_top + SLOT / 2, words)
            if first:
                y = paint_hops(page, hops, band, y)
            y = _paint_lanes(page, band, planned, y)
        page.reach(row.end)
    if title_below:
        _paint_title(page, strips[0], planned, y + 4)
        y += TITLE_HEIGHT
    return y


def _paint_title(page: Page, strip: Strip, planned: StripPlan, y: int) -> None:
    """A strip's title, the first one's behind its storage's letter if there are several storages.

    One that runs on in another row says so, lest it be taken for two.
    """
    section, rows, x = planned.section, len(planned.rows), planned.left
    if section.storage and strip is section.strips[0]:
        paint_letter(page, x, y, section.storage)
        x += LETTER_WIDTH
    page.write(TITLE, x, y + 8, f"{strip.title}, in {rows} rows" if rows > 1 else strip.title)


def _paint_band(page: Page, band: Band, y: int, *, addressed: bool) -> tuple[int, int]:
    """Paint a strip's part of a row from `y` down; gives its slots' upper side, and its end.

    From above: cache lines, badges or visits, slots, and their addresses if it is `addressed`.
    """
    strip, slots, half = band.strip, band.slots, band.width / 2
    if strip.line:
        _paint_lines(page, band, y + 16)
        y += LINE_HEIGHT
    if any(slot.badge for slot in slots):
        y += BADGE_HEIGHT
        for slot, x in zip(slots, band.xs, strict=True):
            if slot.badge:
                page.texts[BADGE].append((x + half, y - 14, slot.badge, ""))
                # The edges of further sheets behind a slot that several indices share.
                edges = ((3, 2), (6, 5))[: 1 if slot.badge == "×2" else 2]
                for up, inset in edges:
                    look, _ = style_of(slot.group, ("ghost",), VALUE)
                    box = (x + inset, y - up, band.width - 2 * inset, 3)
                    page.boxes[look._replace(dash="")].append(box)
    elif any(slot.visit for slot in slots):
        y += VISIT_HEIGHT
        for slot, x in zip(slots, band.xs, strict=True):
            if slot.visit:
                left = x + half - VISIT.width(slot.visit) / 2
                switch = "switch" in slot.marks
                paint_visit(page, left, y - 9, slot.visit, colours.INK, switch=switch)
    boxes: list[Box] = [(x, y, band.width, SLOT) for x in band.xs]
    paint_cells(page, PlacedCells(strip, slots, boxes, VALUE), SLOT / 2)
    top, y = y, y + SLOT
    if not addressed:
        return top, y
    told = {"": 1}
    if strip.in_bytes and slots:
        told = {"byte": 1} if strip.unit == 1 else {"position": 1, "byte": strip.unit}
    for number, (caption, parts) in enumerate(told.items()):
        at = y + 9 + (BYTE_HEIGHT - 1) * number
        page.texts[ADDRESS] += [
            (x + half, at, str(slot.address * parts), "")
            for slot, x in zip(slots, band.xs, strict=True)
        ]
        if caption:
            page.write(CAPTION, band.end + 8, at, caption)
    return top, y + ADDRESS_HEIGHT + BYTE_HEIGHT * (len(told) - 1)


def _paint_lines(page: Page, band: Band, y: int) -> None:
    """A bracket over each cache line, with its number."""
    lines: dict[int, list[int]] = {}
    for slot, x in zip(band.slots, band.xs, strict=True):
        lines.setdefault(slot.address // band.strip.line, []).append(x)
    for number, xs in lines.items():
        x0, x1 = xs[0] + 2, xs[-1] + band.width - 2
        page.lines[THIN].append(((x0, y + 3), (x0, y), (x1, y), (x1, y + 3)))
        words = f"cache line {number}"
        if LINE.width(words) > x1 - x0:
            words = str(number)
        page.write(LINE, (x0 + x1) / 2, y - 8, words)


def _paint_lanes(page: Page, band: Band, planned: StripPlan, y: int) -> int:
    """For each tensor its name, and a line under the slots that it reaches; gives the end."""
    strip, above = band.strip, planned.names_above
    if not strip.lanes:
        return y
    y += 8 if above else 4
    for lane, pen in zip(strip.lanes, cycle(LANES), strict=False):
        x = planned.left if above else MARGIN
        page.write(LANE, x, y + 4, fitted(lane.name, LANE, MARGIN + page.room - x))
        y += LANE_HEIGHT if above else 0
        # Neighbouring slots that the lane reaches have one line.
        places = zip(band.slots, band.xs, strict=True)
        xs = {x for slot, x in places if slot.address in lane.addresses}
        starts = sorted(x for x in xs if x - band.width not in xs)
        ends = sorted(x + band.width for x in xs if x + band.width not in xs)
        for start, end in zip(starts, ends, strict=True):
            x0, x1 = start + 3, end - 3
            page.lines[pen].append(((x0, y + 4), (x1, y + 4)))
            page.lines[THIN] += [((x0, y), (x0, y + 8)), ((x1, y), (x1, y + 8))]
        y += LANE_HEIGHT
    if strip.more_lanes:
        page.write(NOTHING, MARGIN, y + 4, f"+{strip.more_lanes} more")
        y += LANE_HEIGHT
    return y
