"""A page: boxes, lines and texts at their places, in pixels. Renderers only paint it.

What looks alike is kept together, so that a renderer says how it looks once. The y axis points
down. A text's y is the middle of its digits.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.palette import INK, Paint, Pen

# Digits stand so high over their baseline, as a part of the font size.
DIGIT_HEIGHT = 0.73

Anchor = Literal["start", "middle", "end"]
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


@dataclass(slots=True)
class Sheet:
    """A page: its size in pixels and what is painted on it, in this order."""

    width: float = 0
    height: float = 0
    boxes: dict[Paint, list[Box]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[Pen, list[tuple[Point, ...]]] = field(default_factory=lambda: defaultdict(list))
    curves: dict[Pen, list[Curve]] = field(default_factory=lambda: defaultdict(list))
    shapes: dict[str, list[tuple[Point, ...]]] = field(default_factory=lambda: defaultdict(list))
    over: dict[Paint, list[Box]] = field(default_factory=lambda: defaultdict(list))
    texts: dict[Font, list[Run]] = field(default_factory=lambda: defaultdict(list))

    def write(self, font: Font, x: float, y: float, text: str) -> None:
        """Add a text, and widen the page to hold it."""
        self.texts[font].append((x, y, text))
        self.reach(right_of(font, x, text))

    def reach(self, x: float) -> None:
        """Widen the page so that it reaches x."""
        if x > self.width:
            self.width = x

    def take(self, other: "Sheet", dx: float, dy: float) -> None:
        """Add all of another page, moved by so much."""
        for paint, boxes in other.boxes.items():
            self.boxes[paint] += [(x + dx, y + dy, w, h) for x, y, w, h in boxes]
        for paint, boxes in other.over.items():
            self.over[paint] += [(x + dx, y + dy, w, h) for x, y, w, h in boxes]
        for pen, lines in other.lines.items():
            self.lines[pen] += [_moved(points, dx, dy) for points in lines]
        for pen, curves in other.curves.items():
            self.curves[pen] += [Curve(*_moved(curve, dx, dy)) for curve in curves]
        for colour, shapes in other.shapes.items():
            self.shapes[colour] += [_moved(points, dx, dy) for points in shapes]
        for font, runs in other.texts.items():
            self.texts[font] += [(x + dx, y + dy, text) for x, y, text in runs]
        self.reach(other.width + dx)
        self.height = max(self.height, other.height + dy)


def right_of(font: Font, x: float, text: str) -> float:
    """Where a text ends."""
    width = text_width(text, font.size, mono=font.mono, bold=font.bold)
    return x + width * {"start": 1.0, "middle": 0.5, "end": 0.0}[font.anchor]


def _moved(points: tuple[Point, ...], dx: float, dy: float) -> tuple[Point, ...]:
    return tuple((x + dx, y + dy) for x, y in points)
