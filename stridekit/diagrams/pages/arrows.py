"""Arrows: hops over a strip, and moves from one strip to another.

A hop within a row is an arc above it. One that leads back, or that is needed and is not there,
is a way below it, so that ways there and back never cross. A hop that leaves its row, or stays
where it is, is told where it lands.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.metrics import text_width
from stridekit.diagrams.pages.page import CONTENT, Curve, Font, Page
from stridekit.diagrams.pages.palette import Pen
from stridekit.diagrams.pages.strip_rows import Band
from stridekit.diagrams.scenes.scene import Hop

LABEL = Font(11, "middle", mono=True)
NEEDED = LABEL._replace(ink=palette.ALERT)
HOP = Pen(palette.INK, 1.5)
NEEDED_PEN = Pen(palette.ALERT, 1.5, "5 3")
CASING = Pen(palette.STROKE, 2.6)
# Heights: of the lowest arc, of a label, of one level more, of a way below, of each further one.
ARC, LABEL_HEIGHT, LEVEL, BELOW, BELOW_STEP = 16, 18, 24, 32, 24
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
        half = _half(self.hop) + 2
        ends = self.end if self.start is None else self.start, self.end
        return min(*ends, self.middle - half), max(*ends, self.middle + half)

    @property
    def height(self) -> float:
        """How high it flies."""
        return ARC + LEVEL * self.level

    def curve(self, foot: float) -> Curve:
        """The arc, from `foot` up and down again to the arrow's head."""
        assert self.start is not None
        # It reaches three quarters of the way to the points that pull at it.
        high = foot - self.height / 0.75
        start, end = (self.start, foot), (self.end, foot - HEAD)
        return Curve(start, (self.start, high), (self.end, high), end)

    def crosses_one_of(self, others: Sequence["_Flight"]) -> bool:
        """Whether the arc runs through another one's label."""
        if self.start is None:
            return False
        points = [*self.curve(0).points(32)]
        return any(
            abs(x - other.middle) < _half(other.hop) + 2 and abs(y + other.height + 8) < 8
            for other in others
            if other is not self and other.start is not None
            for x, y in points
        )


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

    def paint_above(self, page: Page, row: int, band: Band, left: int, top: int) -> int:
        """Paint what flies over a row, from `top` down; gives where the row's own texts begin."""
        flights = self._flights(row, band, left)
        if not flights:
            return top
        foot = top + ARC + LABEL_HEIGHT + LEVEL * max(flight.level for flight in flights)
        for flight in flights:
            needed = flight.hop.kind == "needed"
            pen, font = (NEEDED_PEN, NEEDED) if needed else (HOP, LABEL)
            tip = (flight.end, foot - 2)
            if flight.start is None:
                if any(each.end == flight.end and each.level < flight.level for each in flights):
                    # An arrow comes down here already, from a label below this one.
                    page.write(font, flight.middle, foot - flight.height - 10, flight.hop.label)
                    continue
                stem = (flight.end, foot - flight.height), (flight.end, foot - HEAD)
                page.lines[pen].append(stem)
            else:
                page.curves[pen].append(flight.curve(foot - 2))
            _paint_head(page, pen.colour, *tip, 1)
            page.write(font, flight.middle, foot - flight.height - 10, flight.hop.label)
        return foot

    def paint_below(self, page: Page, row: int, band: Band, left: int, top: int) -> int:
        """The ways below, from address to address; gives their end."""
        hops = self._below.get(row, ())
        if not hops:
            return top
        middles = band.middle_at()
        # Off the middle, so that one arrow's tip and the next one's start both show.
        ways = [(hop, middles[hop.start] - 3, middles[hop.end] + 3) for hop in hops]
        right = max(x for _, start, end in ways for x in (start, end))
        labelled = [(_inside((x + end) / 2, hop.label, left), hop) for hop, x, end in ways]
        # A deeper way leads down past the labels of those before it, and must not cross them.
        clear = not any(
            abs(x - middle) < _half(hop) + 4
            for number, (middle, hop) in enumerate(labelled)
            for _, *ends in ways[number + 1 :]
            for x in ends
        )
        y = top
        for (hop, start, end), (middle, _) in zip(ways, labelled, strict=True):
            pen, font = (NEEDED_PEN, NEEDED) if hop.kind == "needed" else (HOP, LABEL)
            way = ((start, top), (start, y + 10), (end, y + 10), (end, top + HEAD))
            page.lines[pen].append(way)
            _paint_head(page, pen.colour, end, top, -1)
            if clear:
                page.write(font, middle, y + 21, hop.label)
            else:
                x = _inside(right + 10 + _half(hop), hop.label, left)
                page.write(font, x, y + 10, hop.label)
            y += BELOW_STEP
        return y + BELOW - BELOW_STEP

    def _flights(self, row: int, band: Band, left: int) -> list[_Flight]:
        """What flies over a row, each on a level where nothing else is in its way."""
        arcs, landing = [*self._above.get(row, ())], [*self._landing.get(row, ())]
        if not arcs and not landing:
            return []
        middles = band.middle_at()
        while True:
            flights = _levelled(_flights_of(arcs, landing, middles, left))
            crossing = next((each for each in flights if each.crosses_one_of(flights)), None)
            if crossing is None:
                return flights
            # An arc that would rise through the label of another is told where it lands.
            arcs.remove(crossing.hop)
            landing.append(crossing.hop)


def _flights_of(
    arcs: list[Hop], landing: list[Hop], middles: dict[int, float], left: int
) -> list[_Flight]:
    flights = []
    stems = sorted({middles[hop.end] for hop in landing})
    for hop in arcs:
        start, end = middles[hop.start], middles[hop.end]
        # Clear of the arrow that comes down at its start, and of its label.
        start += 4 if start in stems else 0
        middle = _inside((start + end) / 2, hop.label, left)
        for stem in stems:
            if abs(middle - stem) < _half(hop) + 4:
                middle = _inside(stem + _half(hop) + 4, hop.label, left)
        flights.append(_Flight(hop, start + 3, end - 3, middle))
    for hop in landing:
        end = middles[hop.end]
        middle = _inside(end, hop.label, left)
        before = [stem for stem in stems if stem < end]
        if before:
            # Clear of the arrows that come down to its left.
            middle = _inside(max(middle, before[-1] + _half(hop) + 4), hop.label, left)
        flights.append(_Flight(hop, None, end, middle))
    return flights


def _levelled(flights: list[_Flight]) -> list[_Flight]:
    """Short arcs low, long ones over them; landings on top, where no arc rises into them."""
    levelled: list[_Flight] = []
    for flight in sorted(flights, key=_by_height):
        low, high = flight.extent
        met = [
            other.level for other in levelled if low < other.extent[1] and other.extent[0] < high
        ]
        levelled.append(flight._replace(level=max(met, default=-1) + 1))
    return levelled


def paint_moves(
    page: Page, ways: Sequence[tuple[float, float, int]], top: float, bottom: float
) -> None:
    """Lines from one strip down to another: x above, x below, and the group that moves."""
    middle = (top + bottom) / 2
    for start, end, group in ways:
        curve = Curve((start, top), (start, middle), (end, middle), (end, bottom - 5))
        page.curves[CASING].append(curve)
        page.curves[Pen(palette.fill_of(group), 1.4)].append(curve)
        _paint_head(page, palette.STROKE, end, bottom, 1)


def _by_height(flight: _Flight) -> tuple[bool, float]:
    low, high = flight.extent
    # Of landings the rightmost comes lowest: its label is right of the others' arrows.
    return (True, -flight.end) if flight.start is None else (False, high - low)


def _half(hop: Hop) -> float:
    """Half the width of a hop's label."""
    return text_width(hop.label, LABEL.size, mono=True) / 2


def _inside(x: float, label: str, left: float) -> float:
    """The middle of a label, moved so that it does not leave the page, which begins at `left`."""
    half = text_width(label, LABEL.size, mono=True) / 2
    return max(min(x, left + CONTENT - half), left + half)


def _paint_head(page: Page, colour: str, x: float, y: float, way: int) -> None:
    """An arrow head with its tip at x, y: downwards for way 1, upwards for -1."""
    back = y - 7 * way
    page.shapes[colour].append(((x, y), (x - 3.5, back), (x + 3.5, back)))
