"""Arrows: hops below a strip, moves from one strip to another, and a selected cell's tie.

Each hop has a level of its own below its row, short ones near it. One to another row leaves its own
and comes in below the other one: two halves, whose labels run on.
"""

from collections.abc import Iterator, Sequence
from math import copysign
from typing import NamedTuple

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.page import MARGIN, Box, Font, Page, Point
from stridekit.diagrams.scenes.scene import Hop, Section, Slot, Strip

LABEL = Font(11, "middle", mono=True)
NEEDED = LABEL._replace(ink=colours.ALERT)
HOP = Paint(stroke=colours.INK, weight=1.5)
NEEDED_PEN = Paint(stroke=colours.ALERT, weight=1.5, dash="5 3")
CASING = Paint(weight=2.6)
# From a selected cell to its slot: half of a line, with its rim and without.
TIES = {colours.CORNER_RIM: 2, colours.CORNER: 0.9}
# How far the first level is below a row, a label below its level, and a level below the one before.
BELOW, LABEL_BELOW, LEVEL = 10, 11, 24
HEAD, AIR = 6, 6
# How far off the middle of its slot a hop begins, so that one that ends there shows beside it; how
# far a half of one reaches beyond its row.
OFF, BEYOND = 5, 10


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


class _Way(NamedTuple):
    """What a row shows of a hop: from x to x, and whether it begins and ends in the row."""

    hop: Hop
    start: float
    end: float
    leaves: bool
    arrives: bool

    @classmethod
    def of(cls, hop: Hop, band: Band) -> "_Way":
        """A hop below a row. One that stays where it is only arrives."""
        middles, on = band.middles, (hop.end > hop.start) - (hop.end < hop.start)
        back, forth = (band.end, band.start) if on < 0 else (band.start, band.end)
        start = middles.get(hop.start, back - (OFF + BEYOND) * on) + OFF * on
        end = middles.get(hop.end, forth + BEYOND * on)
        return cls(hop, start, end, bool(on) and hop.start in middles, hop.end in middles)

    @property
    def label(self) -> str:
        """Its label, which runs on where it does."""
        before, behind = self.leaves or self.start == self.end, self.arrives
        return f"{'' if before else '… '}{self.hop.label}{'' if behind else ' …'}"

    @property
    def uprights(self) -> tuple[float, ...]:
        """Where it goes down from the row, and up to it."""
        return (self.start,) * self.leaves + (self.end,) * self.arrives


def paint_hops(page: Page, hops: Sequence[Hop], band: Band, top: int) -> int:
    """The hops that begin or end in a row, from `top` down; gives where they end."""
    ways = [way for hop in hops if (way := _Way.of(hop, band)).leaves or way.arrives]
    # What only arrives comes from below all others.
    ways.sort(key=lambda way: (way.start == way.end, abs(way.end - way.start)))
    for number, way in enumerate(ways):
        y, end, deeper = top + BELOW + LEVEL * number, way.end, ways[number + 1 :]
        # Of two that begin at one slot, the nearer one does so further inside.
        alike = sum(other.start == way.start for other in deeper)
        start = way.start + copysign(OFF * alike, end - way.start)
        pen, font = (NEEDED_PEN, NEEDED) if way.hop.kind == "needed" else (HOP, LABEL)
        line = ((start, top), (start, y), (end, y), (end, top + HEAD))
        shown = line[not way.leaves : 4 if way.arrives else 3]
        page.lines[pen].append(tuple(dict.fromkeys(shown)))
        if way.arrives:
            _paint_head(page, pen.stroke, end, top, -1)
        # Deeper ones lead down past the label.
        past = [x for other in deeper for x in other.uprights]
        middle = _clear(page, way.label, (start + end) / 2, past)
        page.write(font, middle, y + LABEL_BELOW, way.label)
    return top + (LEVEL * len(ways) + 8 if ways else 0)


def paint_moves(
    page: Page, ways: Sequence[tuple[float, float, int]], top: float, bottom: float
) -> None:
    """Lines from one strip down to another: x above, x below, and the group that moves."""
    middle = (top + bottom) / 2
    for start, end, group in ways:
        curve = ((start, top), (start, middle), (end, middle), (end, bottom - 5))
        page.curves[CASING].append(curve)
        page.curves[Paint(stroke=colours.fill_of(group), weight=1.4)].append(curve)
        _paint_head(page, colours.STROKE, end, bottom, 1)


def paint_tie(page: Page, section: Section, y: int) -> None:
    """A line from the selected cell to its slot, with the sum that leads there at height `y`.

    It runs along the sides of cells and slots, and behind all texts and the cells of other grids.
    """
    found = {
        id(placed.owner): box
        for placed in page.places
        for cell, box in zip(placed.cells, placed.boxes, strict=True)
        if "selected" in cell.marks
    }
    # What is selected is always shown, in the grid and in the strip.
    cell, slot = (found[id(owner)] for owner in (section.grids[0], section.strips[0]))
    x = cell[0] + (cell[2] if slot[0] > cell[0] else 0)
    ways = ((x, cell[1] + cell[3]), (x, y)), ((x, y), (slot[0], y)), ((slot[0], y), slot[:2])
    middle = _clear(page, section.way, (x + slot[0]) / 2, (x, slot[0]))
    page.write(LABEL, middle, y, section.way)
    # The room that each text takes, with a little air.
    texts = [
        (left - 4, y - font.size / 2 - 2, right - left + 8, font.size + 4)
        for font, runs in page.texts.items()
        for at, y, text, _ in runs
        for left, right in [font.span(at, text)]
    ]
    others = {id(grid) for grid in section.grids[1:]}
    cells = [box for placed in page.places if id(placed.owner) in others for box in placed.boxes]
    parts = [part for way in ways for part in _clear_of([*texts, *cells], *way)]
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
        if (stop := min(begin, last)) > at:
            yield ((x0, at), (x0, stop)) if upright else ((at, y0), (stop, y0))
        at = max(at, finish)


def _clear(page: Page, label: str, middle: float, lines: Sequence[float]) -> float:
    """The middle of a label on the page, as near to where it belongs as it crosses no line."""
    half = LABEL.width(label) / 2
    least, most = MARGIN + half, MARGIN + page.room - half
    middle = max(min(middle, most), least)
    places = (middle, *(x + side for x in lines for side in (-half - AIR, half + AIR)))
    clear = [
        place
        for place in places
        if least <= place <= most and all(abs(place - x) > half + AIR - 1 for x in lines)
    ]
    return min(clear, key=lambda place: abs(place - middle), default=middle)


def _paint_head(page: Page, colour: str, x: float, y: float, way: int) -> None:
    """An arrow head with its tip at x, y: downwards for way 1, upwards for -1."""
    back = y - 7 * way
    page.shapes[colour].append(((x, y), (x - 3.5, back), (x + 3.5, back)))
