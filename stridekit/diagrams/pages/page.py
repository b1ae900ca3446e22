"""A page: boxes, lines and texts at their places, in pixels. Renderers only paint it.

What looks alike is kept together, in columns, so that a renderer says how it looks once, and
hundreds of cells are a few lists. The y axis points down. A text's y is the middle of its digits.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from stridekit.diagrams.pages.metrics import text_width
from stridekit.diagrams.pages.palette import INK, Paint, Pen
from stridekit.diagrams.scenes.scene import Cell, Grid, Slot, Strip

# No page is wider, and so much is left of it between its margins.
WIDEST, MARGIN = 900, 14
CONTENT = WIDEST - 2 * MARGIN
# Digits stand so high over their baseline, as a part of the font size.
DIGIT_HEIGHT = 0.73

Anchor = Literal["start", "middle", "end"]
# How much of a text lies right of where it is anchored.
_SHARE: dict[Anchor, float] = {"start": 1.0, "middle": 0.5, "end": 0.0}
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # x, y, width, height
Run = tuple[float, float, str]  # x, y, text


class Font(NamedTuple):
    """How a text looks. The size is in pixels.

    `fitted` asks for just the width that was laid out, whatever font there is. A `halo` is the
    colour of a rim around it, for text on stripes.
    """

    size: float
    anchor: Anchor = "start"
    mono: bool = False
    bold: bool = False
    ink: str = INK
    fitted: bool = True
    halo: str = ""


class Curve(NamedTuple):
    """A cubic Bézier curve: its start, two points that pull at it, and its end."""

    start: Point
    pull: Point
    pull_back: Point
    end: Point

    def points(self, steps: int) -> Iterator[Point]:
        """Points along it."""
        for step in range(steps + 1):
            t = step / steps
            weights = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3
            yield (
                sum(weight * x for weight, (x, _) in zip(weights, self, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, self, strict=True)),
            )


class Raster(NamedTuple):
    """A picture of pixels in a box: row by row, a byte for each channel, 1, 3 or 4 of them.

    A pixel stays a rectangle of one colour, however large the box is.
    """

    box: Box
    columns: int
    rows: int
    channels: int
    pixels: bytes


@dataclass(slots=True)
class Boxes:
    """Boxes of one look, in columns: where each begins, and its size."""

    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)

    def add(self, x: float, y: float, width: float, height: float) -> None:
        """Add one."""
        self.xs.append(x)
        self.ys.append(y)
        self.widths.append(width)
        self.heights.append(height)

    def __iter__(self) -> Iterator[Box]:
        return zip(self.xs, self.ys, self.widths, self.heights, strict=True)


@dataclass(slots=True)
class Runs:
    """Runs of text in one font, in columns: where each stands, and what it says.

    `fills` is as long as they are where it is known what each stands on: the fill of a cell, or
    empty for the card.
    """

    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    fills: list[str] = field(default_factory=list)

    def add(self, x: float, y: float, text: str) -> None:
        """Add one."""
        self.xs.append(x)
        self.ys.append(y)
        self.texts.append(text)

    def __iter__(self) -> Iterator[Run]:
        return zip(self.xs, self.ys, self.texts, strict=True)


class Places(NamedTuple):
    """Where cells of a grid, or slots of a strip, came to stand: left and upper sides, and size."""

    owner: Grid | Strip
    things: Sequence[Cell] | Sequence[Slot]
    xs: Sequence[float]
    ys: Sequence[float]
    width: int
    height: int


@dataclass(slots=True)
class Page:
    """A page: its size in pixels and what is painted on it, in this order.

    `places` say where cells and slots stand, for whoever points at them.
    """

    width: float = 0
    height: float = 0
    images: list[Raster] = field(default_factory=list)
    boxes: dict[Paint, Boxes] = field(default_factory=lambda: defaultdict(Boxes))
    lines: dict[Pen, list[tuple[Point, ...]]] = field(default_factory=lambda: defaultdict(list))
    curves: dict[Pen, list[Curve]] = field(default_factory=lambda: defaultdict(list))
    shapes: dict[str, list[tuple[Point, ...]]] = field(default_factory=lambda: defaultdict(list))
    over: dict[Paint, Boxes] = field(default_factory=lambda: defaultdict(Boxes))
    texts: dict[Font, Runs] = field(default_factory=lambda: defaultdict(Runs))
    places: list[Places] = field(default_factory=list)

    def write(self, font: Font, x: float, y: float, text: str, *, fill: str | None = None) -> None:
        """Add a text, and widen the page to hold it. `fill` is what it stands on, where known."""
        runs = self.texts[font]
        runs.add(x, y, text)
        if fill is not None:
            runs.fills.append(fill)
        self.reach(right_of(font, x, text))

    def reach(self, x: float) -> None:
        """Widen the page so that it reaches x."""
        if x > self.width:
            self.width = x

    def take(self, other: "Page", dx: float, dy: float) -> None:
        """Add all of another page, moved by so much."""
        for image in other.images:
            x, y, width, height = image.box
            self.images.append(image._replace(box=(x + dx, y + dy, width, height)))
        for mine, theirs in ((self.boxes, other.boxes), (self.over, other.over)):
            for paint, boxes in theirs.items():
                for x, y, width, height in boxes:
                    mine[paint].add(x + dx, y + dy, width, height)
        for pen, lines in other.lines.items():
            self.lines[pen] += [_moved(points, dx, dy) for points in lines]
        for pen, curves in other.curves.items():
            self.curves[pen] += [Curve(*_moved(curve, dx, dy)) for curve in curves]
        for colour, shapes in other.shapes.items():
            self.shapes[colour] += [_moved(points, dx, dy) for points in shapes]
        for font, runs in other.texts.items():
            for x, y, text in runs:
                self.texts[font].add(x + dx, y + dy, text)
            self.texts[font].fills += runs.fills
        for each in other.places:
            xs, ys = [x + dx for x in each.xs], [y + dy for y in each.ys]
            self.places.append(each._replace(xs=xs, ys=ys))
        self.reach(other.width + dx)
        self.height = max(self.height, other.height + dy)


def right_of(font: Font, x: float, text: str) -> float:
    """Where a text ends."""
    width = text_width(text, font.size, mono=font.mono, bold=font.bold)
    return x + width * _SHARE[font.anchor]


def _moved(points: tuple[Point, ...], dx: float, dy: float) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for x, y in points)
