"""One row of one strip on the page: slots, and what is told right above and below them."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Literal, NamedTuple

from stridekit.diagrams import palette
from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.page_grid import look_of, paint_marks
from stridekit.diagrams.palette import LANES, Pen, halo_on, ink_on, paint
from stridekit.diagrams.scene import Lane, Marks, Slot, Strip
from stridekit.diagrams.sheet import Box, Font, Run, Sheet

SLOT = 28
ADDRESS_HEIGHT, BYTE_HEIGHT = 16, 14
BADGE_HEIGHT, VISIT_HEIGHT, LINE_HEIGHT = 22, 16, 20
LANE_HEIGHT = 16

VALUE = 12
ADDRESS = Font(10, "middle", mono=True, ink=palette.MUTED, fitted=False)
ROW = ADDRESS._replace(anchor="end")
CAPTION = Font(10, ink=palette.MUTED)
BADGE = Font(10, "middle", bold=True)
VISIT = Font(10, "middle", mono=True, fitted=False)
LINE = Font(10, "middle", ink=palette.MUTED)
LANE = Font(12, bold=True)
MORE = Font(12, ink=palette.MUTED)
THIN = Pen()


class Located(NamedTuple):
    """A slot and its place in a row, in pixels."""

    slot: Slot
    x: int
    width: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.x + self.width

    @property
    def middle(self) -> float:
        """Its middle."""
        return self.x + self.width / 2


Addresses = Literal["below", "above", "left"]


class Band(NamedTuple):
    """One strip's part of a row.

    Its addresses stand below the slots, or above them to leave the lower side to arrows; or the
    first one alone stands to the left, of a row that begins at `left`.
    """

    strip: Strip
    slots: Sequence[Located]
    addresses: Addresses = "below"
    left: int = 0

    def _told_height(self) -> int:
        """The height of badges or visit numbers."""
        if any(located[0].badge for located in self.slots):
            return BADGE_HEIGHT
        return VISIT_HEIGHT if any(located[0].visit for located in self.slots) else 0

    def paint(self, sheet: Sheet, y: int) -> tuple[int, int]:
        """Paint from `y` down; gives the upper side of the slots, and where the band ends.

        From above: cache lines, badges or visits, addresses if they stand above, slots.
        """
        if self.strip.line:
            self._paint_lines(sheet, y + 16)
            y += LINE_HEIGHT
        y += self._told_height()
        told = y - 9
        above = self.addresses == "above"
        top = y + (ADDRESS_HEIGHT if above else 0)
        address_y = top - 9 if above else top + SLOT + 9
        middle_y = top + SLOT / 2
        addresses: list[Run] = []
        looks: dict[object, tuple[list[Box], list[Run]]] = {}
        for (address, text, group, marks, badge, visit), x, width in self.slots:
            look = looks.get((group, marks))
            if look is None:
                look = looks[group, marks] = _look(sheet, group, marks)
            middle = x + width / 2
            look[0].append((x, top, width, SLOT))
            look[1].append((middle, middle_y, text))
            addresses.append((middle, address_y, str(address)))
            if marks:
                paint_marks(sheet, marks, (x, top, width, SLOT))
            if badge:
                sheet.texts[BADGE].append((middle, told - 5, badge))
                if not above:
                    _paint_stack(sheet, group, 1 if badge == "×2" else 2, (x, top, width))
            elif visit:
                _paint_visit(sheet, middle, told, visit, switch="switch" in marks)
        if self.addresses == "left":
            for located in self.slots[:1]:
                first = str(located.slot.address)
                sheet.texts[ROW].append((self.left - 8, middle_y, first))
            return top, top + SLOT
        sheet.texts[ADDRESS] += addresses
        bottom = top + SLOT + (2 if above else ADDRESS_HEIGHT)
        if self.strip.in_bytes and self.slots:
            bottom = self._paint_bytes(sheet, address_y, bottom)
        return top, bottom

    def _paint_bytes(self, sheet: Sheet, address_y: float, bottom: int) -> int:
        """The address of each slot in bytes, and what each line of addresses counts."""
        end = self.slots[-1].end + 8
        unit = self.strip.unit
        if unit == 1:
            sheet.write(CAPTION, end, address_y, "byte")
            return bottom
        sheet.write(CAPTION, end, address_y, "position")
        sheet.write(CAPTION, end, bottom + 6, "byte")
        sheet.texts[ADDRESS] += [
            (located.middle, bottom + 6, str(located.slot.address * unit)) for located in self.slots
        ]
        return bottom + BYTE_HEIGHT

    def _paint_lines(self, sheet: Sheet, y: int) -> None:
        """A bracket over each cache line, with its number."""
        lines: dict[int, list[Located]] = {}
        for located in self.slots:
            lines.setdefault(located.slot.address // self.strip.line, []).append(located)
        for number, run in lines.items():
            x0, x1 = run[0].x + 2, run[-1].end - 2
            sheet.lines[THIN].append(((x0, y + 3), (x0, y), (x1, y), (x1, y + 3)))
            words = f"cache line {number}"
            if text_width(words, LINE.size) > x1 - x0:
                words = str(number)
            sheet.write(LINE, (x0 + x1) / 2, y - 8, words)


def _look(sheet: Sheet, group: int | None, marks: Marks) -> tuple[list[Box], list[Run]]:
    """Where to add the boxes and texts of slots that look so."""
    filled = look_of(group, marks)
    font = Font(VALUE, "middle", mono=True, ink=ink_on(filled), fitted=False, halo=halo_on(filled))
    return sheet.boxes[filled], sheet.texts[font]


def _paint_stack(
    sheet: Sheet, group: int | None, sheets: int, place: tuple[float, float, float]
) -> None:
    """The edges of further sheets behind a slot that several indices share."""
    x, top, width = place
    look = paint(group, ghost=True, unwritten=False, outside=False)._replace(dash="")
    for up, inset in ((3, 2), (6, 5))[:sheets]:
        sheet.boxes[look].append((x + inset, top - up, width - 2 * inset, 3))


def _paint_visit(sheet: Sheet, x: float, y: float, visit: str, *, switch: bool) -> None:
    if switch:
        width = ceil(text_width(visit, VISIT.size, mono=True)) + 6
        sheet.over[palette.PILL].append((x - width / 2, y - 6.5, width, 13))
    ink = palette.CARD if switch else palette.INK
    sheet.texts[VISIT._replace(ink=ink)].append((x, y, visit))


def paint_lanes(sheet: Sheet, band: Band, left: int, top: int) -> int:
    """For each tensor a line under the slots that it reaches; gives where they end."""
    strip = band.strip
    if not strip.lanes:
        return top
    y = top + 4
    for lane, pen in zip(strip.lanes, LANES, strict=False):
        sheet.write(LANE, left, y + 4, lane.name)
        for start, end in _runs(band.slots, lane):
            x0, x1 = start + 3, end - 3
            sheet.lines[pen].append(((x0, y + 4), (x1, y + 4)))
            sheet.lines[THIN] += [((x0, y), (x0, y + 8)), ((x1, y), (x1, y + 8))]
        y += LANE_HEIGHT
    if strip.more_lanes:
        sheet.write(MORE, left, y + 4, f"+{strip.more_lanes} more")
        y += LANE_HEIGHT
    return y


def _runs(slots: Iterable[Located], lane: Lane) -> Iterator[tuple[int, int]]:
    """Where neighbouring slots that the lane reaches begin and end."""
    start = end = None
    for located in slots:
        if located.slot.address not in lane.addresses:
            continue
        if start is not None and end is not None and located.x != end:
            yield start, end
            start = None
        start = located.x if start is None else start
        end = located.end
    if start is not None and end is not None:
        yield start, end
