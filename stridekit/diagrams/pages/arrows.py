"""Arrows: hops over a strip, and moves from one strip to another.

A hop within a row is an arc above it, or told where it lands: where it stays, and where an arc
would run through a label. One that leads back, that is needed and is not there, or that goes to
another row, is a way below, so that ways there and back never cross. To another row it leaves its
own and comes in below the other one: two halves, whose labels run on.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.page import MARGIN, Box, Curve, Font, Page, Point
from stridekit.diagrams.scenes.scene import Hop, Section, Slot, Strip

LABEL = Font(11, "middle", mono=True)
NEEDED = LABEL._replace(ink=colours.ALERT)
HOP = Paint(stroke=colours.INK, weight=1.5)
NEEDED_PEN = Paint(stroke=colours.ALERT, weight=1.5, dash="5 3")
CASING = Paint(weight=2.6)
# From a selected cell to its slot: half of a line, with its rim and without.
TIES = {colours.CORNER_RIM: 2, colours.CORNER: 0.9}
# Heights: of the lowest arc, of a label, of one level more, of a way below, of each further one.
ARC, LABEL_HEIGHT, LEVEL, BELOW, BELOW_STEP = 16, 18, 24, 32, 24
HEAD = 6
# How far a half of a way reaches beyond its row.
BEYOND = 10


class Band(NamedTuple):
    """A strip's part of a row: its slots, all of one width, and where each begins."""

    strip: Strip
    width: int
    slots: list[Slot]
    xs: list[int]

    @property
    def start(self) -> int:
        """Where the first slot begins."""
        return self.xs[0] if self.xs else MARGIN

    @property
    def end(self) -> int:
        """Where the last slot ends."""
        return self.xs[-1] + self.width if self.xs else 0

    @property
    def middles(self) -> dict[int, float]:
        """The middle of each slot, by its address."""
        half = self.width / 2
        return {slot.address: x + half for slot, x in zip(self.slots, self.xs, strict=True)}


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
        half = _half(self.hop.label) + 2
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
            abs(x - other.middle) < _half(other.hop.label) + 2 and abs(y + other.height + 8) < 8
            for other in others
            if other is not self and other.start is not None
            for x, y in points
        )


def paint_above(page: Page, hops: Sequence[Hop], band: Band, top: int) -> int:
    """Paint what flies over a row, from `top` down; gives where the row's own texts begin."""
    middles = band.middles
    above = [hop for hop in hops if hop.start in middles and hop.end in middles and _flies(hop)]
    if not above:
        return top
    landing = [hop for hop in above if hop.start == hop.end]
    arcs = [hop for hop in above if hop.start != hop.end]
    while True:
        flights = _levelled(_flights_of(arcs, landing, middles, page.room))
        crossing = next((each.hop for each in flights if each.crosses_one_of(flights)), None)
        if crossing is None:
            break
        arcs.remove(crossing)
        landing.append(crossing)
    foot = top + ARC + LABEL_HEIGHT + LEVEL * max(flight.level for flight in flights)
    for flight in flights:
        page.write(LABEL, flight.middle, foot - flight.height - 10, flight.hop.label)
        if flight.start is not None:
            page.curves[HOP].append(flight.curve(foot - 2))
        elif any(each.end == flight.end and each.level < flight.level for each in flights):
            # An arrow comes down here already, from a label below this one.
            continue
        else:
            stem = (flight.end, foot - flight.height), (flight.end, foot - HEAD)
            page.lines[HOP].append(stem)
        _paint_head(page, HOP.stroke, flight.end, foot - 2, 1)
    return foot


def _flies(hop: Hop) -> bool:
    """Whether a hop within a row is shown above it."""
    return hop.start == hop.end or (hop.kind == "actual" and hop.start < hop.end)


def paint_below(page: Page, hops: Sequence[Hop], band: Band, top: int) -> int:
    """The ways below, from address to address; gives their end."""
    ways, middles = [], band.middles
    for hop in hops:
        leaves, arrives = hop.start in middles, hop.end in middles
        if (not leaves and not arrives) or (leaves and arrives and _flies(hop)):
            continue
        on, label = hop.end > hop.start, hop.label
        # Off the middle, so that one arrow's tip and the next one's start both show.
        start: float = band.start - BEYOND if on else band.end + BEYOND
        end: float = band.end + BEYOND if on else band.start - BEYOND
        if leaves:
            start = middles[hop.start] - 3
        else:
            label = f"… {label}"
        if arrives:
            end = middles[hop.end] + 3
        else:
            label = f"{label} …"
        middle = _inside((start + end) / 2, label, page.room)
        ways.append((hop.kind == "needed", leaves, arrives, start, end, label, middle))
    if not ways:
        return top
    right = max(x for *_, start, end, _, _ in ways for x in (start, end))
    # A deeper way leads down past the labels of those before it, and must not cross them.
    clear = not any(
        abs(x - middle) < _half(label) + 4
        for number, (*_, label, middle) in enumerate(ways)
        for *_, start, end, _, _ in ways[number + 1 :]
        for x in (start, end)
    )
    y = top
    for needed, leaves, arrives, start, end, label, middle in ways:
        pen, font = (NEEDED_PEN, NEEDED) if needed else (HOP, LABEL)
        way = ((start, top), (start, y + 10), (end, y + 10), (end, top + HEAD))
        # A half begins or ends in another row.
        page.lines[pen].append(way[not leaves : 4 if arrives else 3])
        if arrives:
            _paint_head(page, pen.stroke, end, top, -1)
        if clear:
            page.write(font, middle, y + 21, label)
        else:
            page.write(font, _inside(right + 10 + _half(label), label, page.room), y + 10, label)
        y += BELOW_STEP
    return y + BELOW - BELOW_STEP


def _flights_of(
    arcs: Sequence[Hop], landing: Sequence[Hop], middles: Mapping[int, float], room: int
) -> Iterator[_Flight]:
    """Arcs and landings, their labels clear of the arrows that come down."""
    stems = sorted({middles[hop.end] for hop in landing})
    for hop in arcs:
        start, end = middles[hop.start], middles[hop.end]
        # Clear of the arrow that comes down at its start, and of its label.
        start += 4 if start in stems else 0
        middle = _inside((start + end) / 2, hop.label, room)
        for stem in stems:
            if abs(middle - stem) < _half(hop.label) + 4:
                middle = _inside(stem + _half(hop.label) + 4, hop.label, room)
        yield _Flight(hop, start + 3, end - 3, middle)
    for hop in landing:
        end = middles[hop.end]
        middle = _inside(end, hop.label, room)
        before = [stem for stem in stems if stem < end]
        if before:
            # Clear of the arrows that come down to its left.
            middle = _inside(max(middle, before[-1] + _half(hop.label) + 4), hop.label, room)
        yield _Flight(hop, None, end, middle)


def _levelled(flights: Iterator[_Flight]) -> list[_Flight]:
    """Short arcs low, long ones over them; landings on top, where no arc rises into them."""

    def height(flight: _Flight) -> tuple[bool, float]:
        left, right = flight.extent
        # Of landings the rightmost comes lowest: its label is right of the others' arrows.
        return (True, -flight.end) if flight.start is None else (False, right - left)

    levelled: list[_Flight] = []
    for flight in sorted(flights, key=height):
        left, right = flight.extent
        met = [
            other.level for other in levelled if left < other.extent[1] and other.extent[0] < right
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
        page.curves[Paint(stroke=colours.fill_of(group), weight=1.4)].append(curve)
        _paint_head(page, colours.STROKE, end, bottom, 1)


def paint_tie(page: Page, section: Section, y: int) -> None:
    """A line from the selected cell to its slot, with the sum that leads there at height `y`.

    It runs along the sides of cells and slots, and leaves out where a text stands.
    """
    found = {
        id(placed.owner): box
        for placed in page.places
        for cell, box in zip(placed.cells, placed.boxes, strict=True)
        if "selected" in cell.marks
    }
    cell, slot = (found.get(id(owner)) for owner in (section.grids[0], section.strips[0]))
    if cell is None or slot is None:
        return
    x = cell[0] + (cell[2] if slot[0] > cell[0] else 0)
    ways = ((x, cell[1] + cell[3]), (x, y)), ((x, y), (slot[0], y)), ((slot[0], y), slot[:2])
    # Right of the line, or left of it, or in it, as there is room.
    off = 8 + _half(section.way)
    beside = (max(x, slot[0]) + off, min(x, slot[0]) - off)
    free = (each for each in beside if each == _inside(each, section.way, page.room))
    middle = next(free, _inside((x + slot[0]) / 2, section.way, page.room))
    page.write(LABEL, middle, y, section.way)
    # The room that each text takes, with a little air.
    texts = [
        (left - 2, y - font.size / 2 - 2, right - left + 4, font.size + 4)
        for font, runs in page.texts.items()
        for at, y, text, _ in runs
        for left, right in [font.span(at, text)]
    ]
    parts = [part for way in ways for part in _clear_of(texts, *way)]
    for colour, half in TIES.items():
        for (x0, y0), (x1, y1) in parts:
            page.bar(colour, x0 - half, y0 - half, x1 + half, y1 + half)


def _clear_of(boxes: Sequence[Box], start: Point, end: Point) -> Iterator[tuple[Point, Point]]:
    """The parts of an upright or level line that lie in none of the boxes."""
    (x0, y0), (x1, y1) = sorted((start, end))
    upright = x0 == x1
    spans = sorted(
        (y, y + height) if upright else (x, x + width)
        for x, y, width, height in boxes
        if (x < x0 < x + width if upright else y < y0 < y + height)
    )
    at, last = (y0, y1) if upright else (x0, x1)
    for begin, finish in (*spans, (last, last)):
        if begin > at:
            stop = min(begin, last)
            yield ((x0, at), (x0, stop)) if upright else ((at, y0), (stop, y0))
        at = max(at, finish)
        if at >= last:
            return


def _half(label: str) -> float:
    """Half the width of a label."""
    return LABEL.width(label) / 2


def _inside(x: float, label: str, room: int) -> float:
    """The middle of a label, moved so that it does not leave a page of so much room."""
    half = _half(label)
    return max(min(x, MARGIN + room - half), MARGIN + half)


def _paint_head(page: Page, colour: str, x: float, y: float, way: int) -> None:
    """An arrow head with its tip at x, y: downwards for way 1, upwards for -1."""
    back = y - 7 * way
    page.shapes[colour].append(((x, y), (x - 3.5, back), (x + 3.5, back)))
