"""Where the strips of a section stand on the page: in rows that share their columns.

An element stands above its bytes.
"""

from collections.abc import Mapping
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from stridekit.diagrams import palette
from stridekit.diagrams.arrows import Arrows
from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.page_slots import (
    ADDRESS,
    BADGE,
    LANE,
    SLOT,
    VALUE,
    VISIT,
    Addresses,
    Band,
    Located,
    paint_lanes,
)
from stridekit.diagrams.scene import Break, Section, Slot, Strip
from stridekit.diagrams.sheet import Font, Sheet
from stridekit.diagrams.words import count

BYTE = 24
# A strip of more slots tells the address of each row alone.
COMPACT_FROM = 65
WIDTH = 896
SLOTS_PER_ROW = 32
TITLE_HEIGHT, ROW_GAP, COMPACT_GAP, STRIP_GAP, LANE_GAP = 20, 14, 4, 6, 12
TITLE = Font(12)
BREAK = Font(12, "middle", ink=palette.MUTED)
NOTHING = Font(12, ink=palette.MUTED)


class Span(NamedTuple):
    """A column, or a break, in one row: where it begins and how wide it is, in pixels.

    `frame` is the number of the column; a break leaves out so many slots of the first strip.
    """

    frame: int
    x: int
    width: int
    left_out: int = 0


class StripPlan(NamedTuple):
    """The measures of a section's strips. `frame` is what a column is, in bytes.

    `left` is the room for names before the rows. A `compact` strip tells the address of each
    row's first slot alone, there.
    """

    section: Section
    frame: int
    rows: tuple[tuple[Span, ...], ...]
    left: int
    compact: bool

    def row_of(self, address: int) -> int | None:
        """The row where a slot of the first strip stands; None if it is left out."""
        frame = address * self.section.strips[0].unit // self.frame
        for number, row in enumerate(self.rows):
            if row[0].frame <= frame <= row[-1].frame:
                shown = any(span.frame == frame and not span.left_out for span in row)
                return number if shown else None
        return None


class Placed(NamedTuple):
    """Where the strips came to stand: their end, and the sides of the first one's slots.

    `middles` has their middles by address, where arrows come or go.
    """

    bottom: int
    top_of_slots: int = 0
    bottom_of_slots: int = 0
    middles: Mapping[int, float] = MappingProxyType({})


def plan(section: Section) -> StripPlan:
    """Measure the strips of a section."""
    strips = section.strips
    frame = max(strip.unit for strip in strips)
    parts = frame // min(strip.unit for strip in strips)
    width = max(_slot_width(strip) * (frame // strip.unit) for strip in strips)
    # The smallest slots have whole widths too.
    width = -(-width // parts) * parts
    names = [
        text_width(lane.name, LANE.size, bold=True) for strip in strips for lane in strip.lanes
    ]
    columns = _columns(strips, frame)
    compact = len(strips) == 1 and len(columns) >= COMPACT_FROM
    if compact:
        # The addresses of the rows stand where names do.
        longest = str(max(abs(columns[0][0]), columns[-1][0]))
        names.append(text_width(longest, ADDRESS.size, mono=True))
    left = ceil(max(names)) + LANE_GAP if names else 0
    rows = _rows(columns, width, left, _per_row(strips[0], frame, width, WIDTH - left))
    return StripPlan(section, frame, rows, left, compact)


def _slot_width(strip: Strip) -> int:
    slots = [slot for slot in strip.slots if isinstance(slot, Slot)]
    longest = max([len(slot[1]) for slot in slots], default=0)
    badge = max([len(slot[4]) for slot in slots], default=0)
    visit = max([len(slot[5]) for slot in slots], default=0)
    # Addresses ascend, so the first or the last is the longest.
    ends = [slot.address * (strip.unit if strip.in_bytes else 1) for slot in slots[:1] + slots[-1:]]
    digits = max((len(str(address)) for address in ends), default=0)
    return max(
        BYTE if strip.unit == 1 and longest <= 2 else SLOT,
        ceil(longest * VALUE * 0.602) + 6,
        ceil(digits * ADDRESS.size * 0.602) + 6,
        ceil(badge * BADGE.size * 0.7) + 8,
        ceil(visit * VISIT.size * 0.602) + 8,
    )


def _columns(strips: tuple[Strip, ...], frame: int) -> list[tuple[int, int]]:
    """The columns and breaks from left to right: the first frame, and the slots left out."""
    base = strips[0]
    largest = base if base.unit == frame else next(s for s in strips if s.unit == frame)
    columns = [
        (item.first, item.length * (frame // base.unit))
        if isinstance(item, Break)
        else (item[0], 0)
        for item in largest.slots
    ]
    if len(strips) > 1:
        # The rest of a memory that is no whole number of the largest elements.
        end = max((first + bool(not n) + n for first, n in columns), default=0)
        rest = {
            item.address * strip.unit // frame
            for strip in strips
            for item in strip.slots
            if isinstance(item, Slot)
        }
        columns += [(first, 0) for first in sorted(rest) if first >= end]
    return columns


def _per_row(strip: Strip, frame: int, width: int, room: int) -> int:
    """How many columns a row has: a power of two, so that rows begin at round positions."""
    most = max(min(room // width, SLOTS_PER_ROW), 1)
    if len(strip.slots) <= most:
        return most
    if strip.line and strip.unit == frame and strip.line <= most:
        return most // strip.line * strip.line
    return 1 << (most.bit_length() - 1)


def _rows(
    columns: list[tuple[int, int]], width: int, left: int, per_row: int
) -> tuple[tuple[Span, ...], ...]:
    rows: list[tuple[Span, ...]] = []
    row: list[Span] = []
    x, slots = left, 0
    runs = _runs(columns)
    for number, (frame, left_out) in enumerate(columns):
        needed = ceil(text_width(_words(left_out), BREAK.size)) + 16 if left_out else width
        full = slots == per_row or x + needed > WIDTH
        # Where memory is left out, a run of slots stays together if a row has room for it.
        run = runs.get(number, 0)
        split = (run and slots + run > per_row) or x + run * width > WIDTH
        if row and (full or (split and left + run * width <= WIDTH and run <= per_row)):
            rows.append(tuple(row))
            row, x, slots = [], left, 0
        row.append(Span(frame, x, needed, left_out))
        x += needed
        slots += not left_out
    if row:
        rows.append(tuple(row))
    return tuple(rows)


def _runs(columns: list[tuple[int, int]]) -> dict[int, int]:
    """The lengths of the runs between breaks, by the number of their first column."""
    runs: dict[int, int] = {}
    breaks = [number for number, (_, left_out) in enumerate(columns) if left_out]
    for before, after in zip([-1, *breaks], [*breaks, len(columns)], strict=True):
        if breaks and after > before + 1:
            runs[before + 1] = after - before - 1
    return runs


def _words(left_out: int) -> str:
    return f"⋯ {count(left_out, 'element')} ⋯"


def paint_strips(
    sheet: Sheet, planned: StripPlan, left: int, top: int, *, addresses_above: bool = False
) -> Placed:
    """Put the strips on the page; `top` is where their title begins.

    With `addresses_above` the first strip's lower side is left to arrows.
    """
    section = planned.section
    if not planned.rows:
        sheet.write(TITLE, left, top + 8, section.strips[0].title)
        sheet.write(NOTHING, left, top + 28, "(no memory)")
        sheet.height = max(sheet.height, top + 40)
        return Placed(top + 40)
    by_address = [
        {slot.address: slot for slot in strip.slots if isinstance(slot, Slot)}
        for strip in section.strips
    ]
    arrows = Arrows(section.hops, planned.row_of)
    middles: dict[int, float] = {}
    placed = Placed(top, middles=middles)
    y = top
    for number, row in enumerate(planned.rows):
        if number:
            y += COMPACT_GAP if planned.compact else ROW_GAP
        for strip, slots in zip(section.strips, by_address, strict=True):
            first = strip is section.strips[0]
            if not first:
                y += STRIP_GAP
            if number == 0 and not section.strip_first:
                sheet.write(TITLE, left + planned.left, y + 8, _title(strip, planned))
                y += TITLE_HEIGHT
            located = _located(strip, row, planned.frame, slots, left)
            if first:
                y = arrows.paint_above(sheet, number, located, left, y)
            where: Addresses = "below"
            if planned.compact:
                where = "left"
            elif addresses_above and first:
                where = "above"
            band = Band(strip, located, where, left + planned.left)
            slots_top, y = band.paint(sheet, y)
            _paint_breaks(sheet, row, left, slots_top)
            if first:
                if number == 0:
                    placed = placed._replace(top_of_slots=slots_top)
                placed = placed._replace(bottom_of_slots=slots_top + SLOT)
                if addresses_above or section.strip_first:
                    middles.update((each.slot.address, each.middle) for each in located)
                y = arrows.paint_below(sheet, number, located, left, y)
            y = paint_lanes(sheet, band, left, y)
        sheet.reach(left + row[-1].x + row[-1].width)
    if section.strip_first:
        # Arrows come from above, so the title stands below.
        sheet.write(TITLE, left + planned.left, y + 12, section.strips[0].title)
        y += TITLE_HEIGHT
    sheet.height = max(sheet.height, y)
    return placed._replace(bottom=y)


def _title(strip: Strip, planned: StripPlan) -> str:
    """A strip's title. One that runs on in another row says so, lest it be taken for two."""
    rows = len(planned.rows)
    return f"{strip.title}, in {rows} rows" if rows > 1 else strip.title


def _located(
    strip: Strip, row: tuple[Span, ...], frame: int, slots: dict[int, Slot], left: int
) -> list[Located]:
    ratio = frame // strip.unit
    if ratio == 1:
        return [
            Located(slots[number], left + x, width)
            for number, x, width, left_out in row
            if not left_out and number in slots
        ]
    return [
        Located(slots[address], left + x + part * (width // ratio), width // ratio)
        for number, x, width, left_out in row
        if not left_out
        for part, address in enumerate(range(number * ratio, (number + 1) * ratio))
        if address in slots
    ]


def _paint_breaks(sheet: Sheet, row: tuple[Span, ...], left: int, top: int) -> None:
    for _, x, width, left_out in row:
        if left_out:
            sheet.write(BREAK, left + x + width / 2, top + SLOT / 2, _words(left_out))
