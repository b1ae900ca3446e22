"""Where the strips of a section stand on the page: in rows that share their columns.

An element stands above its bytes.
"""

from collections.abc import Mapping
from itertools import groupby
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.arrows import Arrows
from stridekit.diagrams.pages.cell_styles import VISIT
from stridekit.diagrams.pages.page import (
    CONTENT,
    LETTER_WIDTH,
    Font,
    Page,
    paint_letter,
    text_width,
)
from stridekit.diagrams.pages.strip_rows import (
    ADDRESS,
    BADGE,
    LANE,
    SLOT,
    VALUE,
    Addresses,
    Band,
    corner_of,
    lane_text,
)
from stridekit.diagrams.scenes.captions import count
from stridekit.diagrams.scenes.scene import Break, Section, Slot, Strip

BYTE = 24
# A strip of more slots tells the address of each row alone.
COMPACT_FROM = 65
WIDTH = CONTENT
SLOTS_PER_ROW = 32
# So many slots fit a row if they are a little narrower.
NARROW = WIDTH // SLOTS_PER_ROW
# Behind a row, for what its addresses count.
CAPTION_ROOM = 56
TITLE_HEIGHT, ROW_GAP, COMPACT_GAP, STRIP_GAP, LANE_GAP = 20, 14, 4, 6, 12
TITLE = Font(12)
BREAK = Font(12, "middle", ink=palette.MUTED)
NOTHING = Font(12, ink=palette.MUTED)


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
    top_of_slots: int = 0
    bottom_of_slots: int = 0
    middles: Mapping[int, float] = MappingProxyType({})


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
        text_width(lane_text(lane), LANE.size, bold=True)
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
    end = WIDTH - (CAPTION_ROOM if any(strip.in_bytes for strip in strips) else 0)
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
                _paint_title(page, strip, planned, left + planned.left, y, letter=first)
                y += TITLE_HEIGHT
            where: Addresses = "below"
            if planned.compact:
                where = "left"
            elif addresses_above and first:
                where = "above"
            band = _band(strip, row, planned, slots, left)._replace(addresses=where)
            if first:
                y = arrows.paint_above(page, number, band, left, y)
            slots_top, y = band.paint(page, y)
            _paint_breaks(page, row, left, slots_top)
            if first:
                if number == 0:
                    placed = placed._replace(top_of_slots=slots_top)
                placed = placed._replace(bottom_of_slots=slots_top + SLOT)
                if addresses_above or section.strip_first:
                    middles |= band.middle_at()
                y = arrows.paint_below(page, number, band, left, y)
            y = band.paint_lanes(page, left, y)
        page.reach(left + planned.end_of(row))
    if section.strip_first:
        # Arrows come from above, so the title stands below.
        _paint_title(page, section.strips[0], planned, left + planned.left, y + 4, letter=True)
        y += TITLE_HEIGHT
    page.height = max(page.height, y)
    return placed._replace(bottom=y)


def _paint_title(
    page: Page, strip: Strip, planned: StripPlan, x: int, y: int, *, letter: bool
) -> None:
    """A strip's title, behind its storage's letter if there are several storages."""
    if letter and planned.section.storage:
        paint_letter(page, x, y, planned.section.storage)
        x += LETTER_WIDTH
    page.write(TITLE, x, y + 8, _title(strip, planned))


def _title(strip: Strip, planned: StripPlan) -> str:
    """A strip's title. One that runs on in another row says so, lest it be taken for two."""
    rows = len(planned.rows)
    return f"{strip.title}, in {rows} rows" if rows > 1 else strip.title


def _band(
    strip: Strip, row: StripRow, planned: StripPlan, slots: dict[int, Slot], left: int
) -> Band:
    """A strip's slots in one row, and where they stand."""
    ratio = planned.frame // strip.unit
    width = planned.width // ratio
    inside, xs = [], []
    for column, x in row.columns:
        for part in range(ratio):
            # Where a strip ends there may be columns that it does not fill.
            if slot := slots.get(column * ratio + part):
                inside.append(slot)
                xs.append(left + x + part * width)
    return Band(strip, inside, xs, width, corner_of(strip, width), left=left + planned.left)


def _paint_breaks(page: Page, row: StripRow, left: int, top: int) -> None:
    for x, width, left_out in row.breaks:
        page.write(BREAK, left + x + width / 2, top + SLOT / 2, _words(left_out))
