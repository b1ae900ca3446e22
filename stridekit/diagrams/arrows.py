"""Arrows: hops over a strip, and moves from one strip to another.

A hop within a row is an arc above it. One that leads back, or that is needed and is not there,
is a way below it, so that ways there and back never cross. A hop that leaves its row, or stays
where it is, is told where it lands.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from stridekit.diagrams import palette
from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.page_slots import Band
from stridekit.diagrams.palette import Pen
from stridekit.diagrams.scene import Hop
from stridekit.diagrams.sheet import Curve, Font, Sheet

LABEL = Font(11, "middle", mono=True)
NEEDED = LABEL._replace(ink=palette.ALERT)
HOP = Pen(palette.INK, 1.5)
NEEDED_PEN = Pen(palette.ALERT, 1.5, "5 3")
CASING = Pen(palette.STROKE, 2.6)
# Heights: of the lowest arc, of a label, of one level more, of a way below.
ARC, LABEL_HEIGHT, LEVEL, BELOW = 16, 18, 24, 32
HEAD = 6


class _Flight(NamedTuple):
    """A hop above a row: from x to x, its label's middle, and a level free of the others.

    `start` is None for one that is told only where it lands.
    """

    hop: Hop
    start: float | None
    end: float
    middle: float
    level: int = 0

    @property
    def extent(self) -> tuple[float, float]:
        """What it takes from left to right, its label with some air included."""
        half = text_width(self.hop.label, LABEL.size, mono=True) / 2 + 2
        ends = self.end if self.start is None else self.start, self.end
        return min(*ends, self.middle - half), max(*ends, self.middle + half)


class Arrows:
    """The hops of one section. `row_of` says in which row an address is shown."""

    def __init__(self, hops: Sequence[Hop], row_of: Callable[[int], int | None]) -> None:
        self._above: dict[int, list[Hop]] = {}
        self._landing: dict[int, list[Hop]] = {}
        self._below: dict[int, list[Hop]] = {}
        for hop in hops:
            start, end = row_of(hop.start), row_of(hop.end)
            if start is None or end is None:
                continue
            if start != end or hop.start == hop.end:
                self._landing.setdefault(end, []).append(hop)
            elif hop.kind == "needed" or hop.end < hop.start:
                self._below.setdefault(start, []).append(hop)
            else:
                self._above.setdefault(start, []).append(hop)

    def paint_above(self, sheet: Sheet, row: int, band: Band, left: int, top: int) -> int:
        """Paint what flies over a row, from `top` down; gives where the row's own texts begin."""
        flights = self._flights(row, band, left)
        if not flights:
            return top
        foot = top + ARC + LABEL_HEIGHT + LEVEL * max(flight.level for flight in flights)
        for flight in flights:
            needed = flight.hop.kind == "needed"
            pen, font = (NEEDED_PEN, NEEDED) if needed else (HOP, LABEL)
            height = ARC + LEVEL * flight.level
            tip = (flight.end, foot - 2)
            if flight.start is None:
                sheet.lines[pen].append(((flight.end, foot - height), (flight.end, foot - HEAD)))
            else:
                # The curve reaches three quarters of the way to the points that pull at it.
                high = foot - 2 - height / 0.75
                sheet.curves[pen].append(
                    Curve(
                        (flight.start, foot - 2),
                        (flight.start, high),
                        (flight.end, high),
                        (flight.end, foot - 2 - HEAD),
                    )
                )
            _paint_head(sheet, pen.colour, *tip, 1)
            sheet.write(font, flight.middle, foot - height - 10, flight.hop.label)
        return foot

    def paint_below(self, sheet: Sheet, row: int, band: Band, left: int, top: int) -> int:
        """The ways below, from address to address; gives their end."""
        hops = self._below.get(row, ())
        middles = band.middle_at() if hops else {}
        y = top
        for hop in hops:
            pen, font = (NEEDED_PEN, NEEDED) if hop.kind == "needed" else (HOP, LABEL)
            # Off the middle, so that one arrow's tip and the next one's start both show.
            start, end = middles[hop.start] - 3, middles[hop.end] + 3
            way = ((start, top), (start, y + 10), (end, y + 10), (end, top + HEAD))
            sheet.lines[pen].append(way)
            _paint_head(sheet, pen.colour, end, top, -1)
            sheet.write(font, _inside((start + end) / 2, hop.label, left), y + 21, hop.label)
            y += BELOW
        return y

    def _flights(self, row: int, band: Band, left: int) -> list[_Flight]:
        """What flies over a row, each on a level where nothing else is in its way."""
        found = []
        middles: dict[int, float] = {}
        if row in self._above or row in self._landing:
            middles = band.middle_at()
        landed = {hop.end for hop in self._landing.get(row, ())}
        for hop in self._above.get(row, ()):
            start, end = middles[hop.start], middles[hop.end]
            middle = _inside((start + end) / 2, hop.label, left)
            if hop.start in landed:
                # Clear of the arrow that comes down there.
                start += 4
                middle = _inside(middle, hop.label, start)
            found.append(_Flight(hop, start + 3, end - 3, middle))
        for hop in self._landing.get(row, ()):
            end = middles[hop.end]
            found.append(_Flight(hop, None, end, _inside(end, hop.label, left)))
        flights: list[_Flight] = []
        # Short arcs low, long ones over them; landings on top, where no arc rises into them.
        for flight in sorted(found, key=_by_height):
            low, high = flight.extent
            met = [
                other.level for other in flights if low < other.extent[1] and other.extent[0] < high
            ]
            flights.append(flight._replace(level=max(met, default=-1) + 1))
        return flights


def paint_moves(
    sheet: Sheet, ways: Sequence[tuple[float, float, int]], top: float, bottom: float
) -> None:
    """Lines from one strip down to another: x above, x below, and the group that moves."""
    middle = (top + bottom) / 2
    for start, end, group in ways:
        curve = Curve((start, top), (start, middle), (end, middle), (end, bottom - 5))
        sheet.curves[CASING].append(curve)
        sheet.curves[Pen(palette.line_colour(group), 1.4)].append(curve)
        _paint_head(sheet, palette.STROKE, end, bottom, 1)


def _by_height(flight: _Flight) -> tuple[bool, float]:
    low, high = flight.extent
    return flight.start is None, high - low


def _inside(x: float, label: str, left: float) -> float:
    """The middle of a label, moved so that it does not begin before `left`."""
    return max(x, left + text_width(label, LABEL.size, mono=True) / 2)


def _paint_head(sheet: Sheet, colour: str, x: float, y: float, way: int) -> None:
    """An arrow head with its tip at x, y: downwards for way 1, upwards for -1."""
    back = y - 7 * way
    sheet.shapes[colour].append(((x, y), (x - 3.5, back), (x + 3.5, back)))
