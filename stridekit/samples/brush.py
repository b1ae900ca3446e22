"""A brush: closed outlines filled on a small canvas, with soft edges and blends of colour.

Places are in pixels from the upper left corner; a pixel's middle is half a pixel in.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, radians, sin

Point = tuple[float, float]
Outline = Sequence[Point]
Colour = tuple[float, float, float]
# A colour, or one for each place.
Look = Colour | Callable[[float, float], Colour]
# Each row of pixels is looked at along so many lines.
LINES = 4
CORNERS = 40


class Canvas:
    """A picture in the making: rows of colours, each of three numbers from 0 to 255."""

    def __init__(self, width: int, height: int, look: Look) -> None:
        self.width, self.height = width, height
        self.rows = [[_at(look, column, row) for column in range(width)] for row in range(height)]

    def fill(self, outline: Outline, look: Look, alpha: float = 1.0) -> None:
        """Fill an outline; a pixel that it half covers is half filled."""
        for row, covered in self._covered(outline):
            cells = self.rows[row]
            for column, share in enumerate(covered):
                if share:
                    cells[column] = blend(
                        cells[column], _at(look, column, row), min(share, 1.0) * alpha
                    )

    def to_bytes(self) -> bytes:
        """Row after row, pixel after pixel, red, green and blue: a byte each."""
        return bytes(round(part) for cells in self.rows for colour in cells for part in colour)

    def _covered(self, outline: Outline) -> Iterator[tuple[int, list[float]]]:
        """How much of each pixel an outline covers, row by row."""
        ys = [y for _, y in outline]
        edges = [*pairwise(outline), (outline[-1], outline[0])]
        for row in range(max(int(min(ys)), 0), min(int(max(ys)) + 1, self.height)):
            covered = [0.0] * self.width
            for line in range(LINES):
                y = row + (line + 0.5) / LINES
                crossings = sorted(
                    x0 + (y - y0) * (x1 - x0) / (y1 - y0)
                    for (x0, y0), (x1, y1) in edges
                    if (y0 <= y) != (y1 <= y)
                )
                for start, end in zip(crossings[::2], crossings[1::2], strict=True):
                    self._cover(covered, max(start, 0.0), min(end, float(self.width)))
            yield row, covered

    def _cover(self, covered: list[float], start: float, end: float) -> None:
        if start >= end:
            return
        first, last = int(start), min(int(end), self.width - 1)
        if first == last:
            covered[first] += (end - start) / LINES
            return
        covered[first] += (first + 1 - start) / LINES
        for column in range(first + 1, last):
            covered[column] += 1 / LINES
        covered[last] += (end - last) / LINES


def blend(a: Colour, b: Colour, share: float) -> Colour:
    """From colour a so much of the way to colour b.

    >>> blend((0, 0, 0), (200, 100, 50), 0.5)
    (100.0, 50.0, 25.0)
    """
    part = min(max(share, 0.0), 1.0)
    return (
        a[0] + (b[0] - a[0]) * part,
        a[1] + (b[1] - a[1]) * part,
        a[2] + (b[2] - a[2]) * part,
    )


def across(a: Colour, b: Colour, start: Point, end: Point) -> Look:
    """From colour a at one place to b at another, along a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    whole = dx * dx + dy * dy
    return lambda x, y: blend(a, b, ((x - start[0]) * dx + (y - start[1]) * dy) / whole)


def around(a: Colour, b: Colour, middle: Point, radius: float) -> Look:
    """From colour a at the middle to b at the radius: as light falls on something round."""
    return lambda x, y: blend(a, b, hypot(x - middle[0], y - middle[1]) / radius)


def ellipse(x: float, y: float, rx: float, ry: float, tilt: float = 0) -> Outline:
    """An ellipse by its middle and its two radii, turned clockwise by so many degrees."""
    turn = radians(tilt)
    right, down = cos(turn), sin(turn)
    angles = (2 * pi * corner / CORNERS for corner in range(CORNERS))
    return [
        (
            x + rx * cos(angle) * right - ry * sin(angle) * down,
            y + rx * cos(angle) * down + ry * sin(angle) * right,
        )
        for angle in angles
    ]


def smooth(*points: Point) -> Outline:
    """A closed, smooth outline through some points."""
    return [*_curve([points[-1], *points, *points[:2]])]


def stroke(width: float, *points: Point) -> Outline:
    """The outline of a brush stroke through some points, thinner to its ends."""
    way = [*_curve([points[0], *points, points[-1]]), points[-1]]
    last = len(way) - 1
    one_side, other_side = [], []
    for number, (x, y) in enumerate(way):
        (x0, y0), (x1, y1) = way[max(number - 1, 0)], way[min(number + 1, last)]
        half = width / 2 * (0.55 + 0.45 * sin(pi * number / last)) / (hypot(x1 - x0, y1 - y0) or 1)
        one_side.append((x - (y1 - y0) * half, y + (x1 - x0) * half))
        other_side.append((x + (y1 - y0) * half, y - (x1 - x0) * half))
    return one_side + other_side[::-1]


def _curve(points: Sequence[Point], steps: int = 6) -> Iterator[Point]:
    """A Catmull-Rom curve: through all points but the first and the last, which pull at it."""
    for a, b, c, d in zip(points, points[1:], points[2:], points[3:], strict=False):
        for step in range(steps):
            t = step / steps
            yield (
                _between(a[0], b[0], c[0], d[0], t),
                _between(a[1], b[1], c[1], d[1], t),
            )


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    bend = 2 * a - 5 * b + 4 * c - d
    return (2 * b + (c - a) * t + bend * t * t + (3 * b - a - 3 * c + d) * t**3) / 2


def _at(look: Look, column: int, row: int) -> Colour:
    return look(column + 0.5, row + 0.5) if callable(look) else look
