"""Arrows: hops over a strip, and moves from one strip to another.

A hop within a row is an arc above it. One that leads back, or that is needed and is not there,
is a way below it, so that ways there and back never cross. A hop to another row leaves its own over
the end, or below where it would run through a label, and comes in over the other one's: two
halves, whose labels run on. One that stays where it is, is told where it lands.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import MARGIN, Box, Curve, Font, Page, Point
from stridekit.diagrams.pages.palette import Paint
from stridekit.diagrams.scenes.scene import Hop, Section

LABEL = Font(11, "middle", mono=True)
NEEDED = LABEL._replace(ink=palette.ALERT)
HOP = Paint(stroke=palette.INK, weight=1.5)
NEEDED_PEN = Paint(stroke=palette.ALERT, weight=1.5, dash="5 3")
CASING = Paint(weight=2.6)
# From a selected cell to its slot: half of a line, with its rim and without.
TIES = {palette.CORNER_RIM: 2, palette.CORNER: 0.9}
# Heights: of the lowest arc, of a label, of one level more, of a way below, of each further one.
ARC, LABEL_HEIGHT, LEVEL, BELOW, BELOW_STEP = 16, 18, 24, 32, 24
HEAD = 6
# How far a half of an arc reaches beyond its row.
BEYOND = 10


# What of a hop is shown over a row: all of it, or one of its two ends.
Half = Literal["", "leaves", "arrives"]


class SlotRow(NamedTuple):
    """A row of slots: the middle of each by its address, where it begins, and where it ends.

    `room` is that of its page.
    """

    middles: Mapping[int, float]
    start: float
    end: float
    room: int

    def inside(self, x: float, label: str) -> float:
        """The middle of a label, moved so that it does not leave the page."""
        return _inside(x, label, self.room)

    def ends_of(self, hop: Hop, half: Half) -> tuple[float, float]:
        """Where a hop starts and ends; that is beyond the row at the side of another one."""
        beyond = self.start - BEYOND, self.end + BEYOND
        on = hop.end > hop.start
        start = beyond[not on] if half == "arrives" else self.middles[hop.start]
        return start, beyond[on] if half == "leaves" else self.middles[hop.end]


class _Flight(NamedTuple):
    """A hop above a row: from x to x, its label's middle, and a level free of the others.

    `start` is None for one that is told only where it lands. With a `half` it is what "leaves" a
    row over one end of it, or "arrives" over one: then `start` or `end` lies beyond the slots.
    """

    hop: Hop
    start: float | None
    end: float
    middle: float
    level: int = 0
    half: Half = ""

    @property
    def label(self) -> str:
        """What is written at it: halves run on, so that they are not read as two hops."""
        return _label(self.hop, self.half)

    @property
    def extent(self) -> tuple[float, float]:
        """What it takes from left to right, its label with some air included."""
        half = _half(self.label) + 2
        ends = self.end if self.start is None else self.start, self.end
        return min(*ends, self.middle - half), max(*ends, self.middle + half)

    @property
    def height(self) -> float:
        """How high it flies."""
        return ARC + LEVEL * self.level

    def curve(self, foot: float) -> Curve:
        """The arc, from `foot` up and down again to the arrow's head."""
        assert self.start is not None
        if self.half:
            # A quarter of a turn, level where it leaves the row or comes in.
            high, across = foot - self.height, (self.end - self.start) * 0.4
            if self.half == "leaves":
                pulls = (self.start, high), (self.end - across, high)
                return Curve((self.start, foot), *pulls, (self.end, high))
            pulls = (self.start + across, high), (self.end, high)
            return Curve((self.start, high), *pulls, (self.end, foot - HEAD))
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
            abs(x - other.middle) < _half(other.label) + 2 and abs(y + other.height + 8) < 8
            for other in others
            if other is not self and other.start is not None
            for x, y in points
        )


class Arrows:
    """The hops of one section. `row_of` says in which row an address is shown."""

    def __init__(self, hops: Sequence[Hop], row_of: Callable[[int], int | None]) -> None:
        self._above: dict[int, list[tuple[Hop, Half]]] = {}
        self._landing: dict[int, list[Hop]] = {}
        self._below: dict[int, list[tuple[Hop, Half]]] = {}
        for hop in hops:
            start, end = row_of(hop.start), row_of(hop.end)
            if start is None or end is None:
                continue
            if hop.start == hop.end:
                self._landing.setdefault(end, []).append(hop)
            elif start != end:
                self._above.setdefault(start, []).append((hop, "leaves"))
                self._above.setdefault(end, []).append((hop, "arrives"))
            elif hop.kind == "needed" or hop.end < hop.start:
                self._below.setdefault(start, []).append((hop, ""))
            else:
                self._above.setdefault(start, []).append((hop, ""))

    def paint_above(self, page: Page, number: int, row: SlotRow, top: int) -> int:
        """Paint what flies over a row, from `top` down; gives where the row's own texts begin."""
        flights = self._flights(number, row)
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
            if flight.half != "leaves":
                _paint_head(page, pen.stroke, *tip, 1)
            page.write(font, flight.middle, foot - flight.height - 10, flight.label)
        return foot

    def paint_below(self, page: Page, number: int, row: SlotRow, top: int) -> int:
        """The ways below, from address to address; gives their end."""
        hops = self._below.get(number, ())
        if not hops:
            return top
        ways = []
        for hop, half in hops:
            start, end = row.ends_of(hop, half)
            # Off the middle, so that one arrow's tip and the next one's start both show.
            start -= 0 if half == "arrives" else 3
            end += 0 if half == "leaves" else 3
            ways.append((hop, half, start, end))
        right = max(x for *_, start, end in ways for x in (start, end))
        labelled = [
            (row.inside((x + end) / 2, _label(hop, half)), _label(hop, half))
            for hop, half, x, end in ways
        ]
        # A deeper way leads down past the labels of those before it, and must not cross them.
        clear = not any(
            abs(x - middle) < _half(label) + 4
            for number, (middle, label) in enumerate(labelled)
            for _, _, *ends in ways[number + 1 :]
            for x in ends
        )
        y = top
        for (hop, half, start, end), (middle, label) in zip(ways, labelled, strict=True):
            pen, font = (NEEDED_PEN, NEEDED) if hop.kind == "needed" else (HOP, LABEL)
            way = ((start, top), (start, y + 10), (end, y + 10), (end, top + HEAD))
            # A half begins or ends in another row.
            page.lines[pen].append(way[half == "arrives" : 3 if half == "leaves" else 4])
            if half != "leaves":
                _paint_head(page, pen.stroke, end, top, -1)
            if clear:
                page.write(font, middle, y + 21, label)
            else:
                x = row.inside(right + 10 + _half(label), label)
                page.write(font, x, y + 10, label)
            y += BELOW_STEP
        return y + BELOW - BELOW_STEP

    def _flights(self, number: int, row: SlotRow) -> list[_Flight]:
        """What flies over a row, each on a level where nothing else is in its way."""
        arcs, landing = [*self._above.get(number, ())], [*self._landing.get(number, ())]
        if not arcs and not landing:
            return []
        while True:
            found = _flights_of(arcs, landing, row)
            # Halves over whole arcs, or below them: as none crosses a label.
            for high in (True, False):
                flights = _levelled(found, high=high)
                crossing = next((each for each in flights if each.crosses_one_of(flights)), None)
                if crossing is None:
                    return flights
            assert crossing is not None
            # An arc that would rise through the label of another is told where it lands. What
            # leaves the row or comes in does so below.
            arcs.remove((crossing.hop, crossing.half))
            if crossing.half:
                self._below.setdefault(number, []).append((crossing.hop, crossing.half))
            else:
                landing.append(crossing.hop)


def _flights_of(arcs: list[tuple[Hop, Half]], landing: list[Hop], row: SlotRow) -> list[_Flight]:
    flights = []
    stems = sorted({row.middles[hop.end] for hop in landing})
    for hop, half in arcs:
        start, end = row.ends_of(hop, half)
        # Clear of the arrow that comes down at its start, and of its label.
        start += 4 if start in stems else 0
        label = _label(hop, half)
        middle = row.inside((start + end) / 2, label)
        for stem in stems:
            if abs(middle - stem) < _half(label) + 4:
                middle = row.inside(stem + _half(label) + 4, label)
        start += 0 if half == "arrives" else 3
        end -= 0 if half == "leaves" else 3
        flights.append(_Flight(hop, start, end, middle, half=half))
    for hop in landing:
        end = row.middles[hop.end]
        middle = row.inside(end, hop.label)
        before = [stem for stem in stems if stem < end]
        if before:
            # Clear of the arrows that come down to its left.
            middle = row.inside(max(middle, before[-1] + _half(hop.label) + 4), hop.label)
        flights.append(_Flight(hop, None, end, middle))
    return flights


def _levelled(flights: list[_Flight], *, high: bool) -> list[_Flight]:
    """Short arcs low, long ones over them; landings on top, where no arc rises into them.

    Halves stand over the whole ones if they are to be `high`.
    """
    levelled: list[_Flight] = []
    for flight in sorted(flights, key=lambda each: _by_height(each, high=high)):
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
        page.curves[Paint(stroke=palette.fill_of(group), weight=1.4)].append(curve)
        _paint_head(page, palette.STROKE, end, bottom, 1)


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
    texts = [*_text_boxes(page)]
    parts = [part for way in ways for part in _clear_of(texts, *way)]
    for colour, half in TIES.items():
        for (x0, y0), (x1, y1) in parts:
            page.bar(colour, x0 - half, y0 - half, x1 + half, y1 + half)


def _text_boxes(page: Page) -> Iterator[Box]:
    """The room that each text on a page takes, with a little air."""
    for font, runs in page.texts.items():
        for x, y, text, _ in runs:
            left, right = font.span(x, text)
            yield left - 2, y - font.size / 2 - 2, right - left + 4, font.size + 4


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


def _by_height(flight: _Flight, *, high: bool) -> tuple[bool, bool, float]:
    left, right = flight.extent
    if flight.start is None:
        # Of landings the rightmost comes lowest: its label is right of the others' arrows.
        return True, False, -flight.end
    return False, bool(flight.half) is high, right - left


def _label(hop: Hop, half: Half) -> str:
    return {"leaves": f"{hop.label} …", "arrives": f"… {hop.label}"}.get(half, hop.label)


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
