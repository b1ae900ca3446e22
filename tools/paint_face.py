"""Paint `stridekit/face.ppm`, the picture that the library ships for trying headers on.

    python tools/paint_face.py

Nothing in it is even: the sun stands on the left, the beret leans to the right, one eye winks. So
a flip, a turn, a shear or swapped channels are seen at once. The brush fills closed outlines, with
soft edges and blends of colour; places are in pixels from the upper left corner, and a pixel's
middle is half a pixel in.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, radians, sin
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "stridekit" / "face.ppm"

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


# The face.


HEIGHT, WIDTH = 64, 96
_BROWN, _DARK, _WHITE = (74, 42, 32), (48, 28, 26), (255, 253, 248)


def painted() -> bytes:
    """The pixels, row by row: red, green and blue."""
    canvas = Canvas(WIDTH, HEIGHT, across((92, 160, 206), (214, 232, 226), (0, 0), (30, 64)))
    _paint_land(canvas)
    _paint_hair_and_clothes(canvas)
    _paint_head(canvas)
    _paint_eyes(canvas)
    _paint_nose_and_mouth(canvas)
    return canvas.to_bytes()


def _paint_land(canvas: Canvas) -> None:
    """Sun, cloud, hills and a tree."""
    canvas.fill(ellipse(15, 14, 14, 14), (255, 240, 190), 0.25)
    canvas.fill(ellipse(15, 14, 11, 11), (255, 240, 190), 0.35)
    canvas.fill(ellipse(15, 14, 8, 8), around((255, 244, 170), (250, 200, 60), (13, 11), 11))
    for x, y, rx, ry in ((84, 15, 8, 3.6), (80, 12.5, 4.5, 3.6), (86, 11.5, 5, 4.4)):
        canvas.fill(ellipse(x, y, rx, ry), (246, 250, 250), 0.92)
    canvas.fill(
        [(0, 64), (0, 50), (10, 46), (24, 46), (40, 52), (60, 64)],
        across((120, 176, 96), (78, 140, 80), (0, 46), (0, 64)),
    )
    canvas.fill(
        smooth((60, 70), (66, 52), (80, 45), (98, 42), (110, 60), (96, 74)),
        across((96, 158, 88), (52, 112, 74), (0, 44), (0, 64)),
    )
    canvas.fill([(87, 48), (87.3, 40), (88.7, 40), (89, 48)], (104, 74, 52))
    canvas.fill(ellipse(88, 36.5, 4.6, 6), around((88, 156, 82), (30, 92, 62), (86, 33), 9))


def _paint_hair_and_clothes(canvas: Canvas) -> None:
    canvas.fill(
        smooth((50, 8), (66, 14), (71, 28), (69, 42), (72, 52), (63, 53), (40, 50), (30, 53),
               (29, 42), (28, 26), (34, 13)),
        across((96, 58, 40), (44, 26, 24), (30, 10), (66, 50)),
    )  # fmt: skip
    canvas.fill(
        [(42, 46), (58, 46), (59, 58), (41, 58)],
        across((206, 142, 108), (176, 112, 84), (46, 46), (56, 58)),
    )
    canvas.fill(
        smooth((24, 68), (27, 58), (40, 54), (50, 57), (60, 54), (74, 57), (79, 68)), _striped
    )
    canvas.fill(
        smooth((39, 52), (50, 56), (62, 51), (63, 55), (51, 60), (39, 56.5)),
        across((236, 168, 48), (206, 124, 30), (40, 52), (60, 58)),
    )
    canvas.fill(
        smooth((56, 55), (61, 55), (66, 62), (63, 66), (59, 62)),
        across((240, 178, 60), (200, 118, 30), (56, 55), (66, 64)),
    )


def _striped(x: float, y: float) -> Colour:
    """A shirt: blue stripes that sink to the sides, darker to the right."""
    along = (y - 54 - 0.6 * ((x - 50) / 15) ** 2) % 4.4
    cloth: Colour = (40, 58, 104) if along < 1.8 else (240, 240, 234)
    return blend(cloth, (20, 24, 50), (x - 50) / 70)


def _paint_head(canvas: Canvas) -> None:
    """An ear with its ring, the face in light from the left, the fringe, the beret."""
    canvas.fill(ellipse(31.6, 36, 3.2, 4.4, 10), (222, 158, 122))
    canvas.fill(ellipse(32, 36.4, 1.6, 2.6, 10), (190, 120, 92))
    canvas.fill(ellipse(31, 42, 1.6, 1.6), (250, 214, 80))
    canvas.fill(
        smooth((49, 11), (61, 16), (66.5, 28), (64.5, 41), (57, 50), (49.5, 52.5), (41, 49.5),
               (34.5, 41), (32.5, 28), (38, 15)),
        around((252, 214, 178), (216, 150, 114), (43, 27), 32),
    )  # fmt: skip
    shade = smooth((62, 17), (66.5, 28), (64.5, 41), (57, 50), (51, 52.3), (59, 45), (62, 34))
    canvas.fill(shade, (178, 104, 84), 0.35)
    canvas.fill(ellipse(39.5, 38.5, 4.2, 3.2), (238, 118, 104), 0.45)
    canvas.fill(ellipse(58.5, 38, 3.8, 3), (226, 96, 88), 0.5)
    for x, y in ((37.4, 36.6), (39.6, 35.8), (38.8, 37.9), (41.2, 37.1)):
        canvas.fill(ellipse(x, y, 0.6, 0.6), (186, 104, 76), 0.8)
    canvas.fill(
        smooth((33, 30), (31, 20), (37, 11), (50, 8), (62, 12), (66, 22), (66.5, 29), (62, 22),
               (54, 18), (46, 19), (39, 22), (35, 25)),
        across((120, 74, 48), (56, 34, 28), (36, 10), (66, 28)),
    )  # fmt: skip
    canvas.fill(
        smooth((31, 16), (36, 7), (48, 2.5), (64, 3.5), (75, 9), (77, 16), (70, 19), (58, 16),
               (46, 14.5), (37, 17)),
        around((232, 72, 62), (140, 24, 40), (50, 4), 30),
    )  # fmt: skip
    wine = (112, 18, 36)
    canvas.fill(
        smooth((32, 15.2), (44, 12.4), (58, 13.6), (70, 17), (69, 19.4), (57, 16.6), (45, 15.4),
               (34, 18)),
        wine,
    )  # fmt: skip
    canvas.fill(stroke(1.8, (56, 4), (57, 1.6), (59.5, 0.8)), wine)
    canvas.fill(stroke(1.3, (40, 8), (47, 5.2), (54, 4.8)), (250, 138, 120), 0.7)


def _paint_eyes(canvas: Canvas) -> None:
    """The left one is open under a raised brow, the right one winks."""
    canvas.fill(ellipse(42.2, 30.6, 4.1, 3.5), _WHITE)
    canvas.fill(
        ellipse(43.1, 30.9, 2.5, 2.8), around((84, 160, 110), (24, 84, 72), (42.5, 30.4), 3)
    )
    canvas.fill(ellipse(43.3, 31, 1.3, 1.5), (16, 20, 26))
    canvas.fill(ellipse(42.3, 29.8, 0.8, 0.8), (255, 255, 255))
    canvas.fill(stroke(1.7, (37.6, 30.2), (40, 27.2), (43.2, 26.8), (46.4, 29.4)), _DARK)
    canvas.fill(stroke(1.9, (53.6, 30.4), (56.4, 32.4), (59.4, 32.2), (62, 29.8)), _DARK)
    canvas.fill(stroke(1, (61.2, 30.6), (63.2, 31.6)), _DARK)
    canvas.fill(stroke(1, (59.8, 31.8), (61.4, 33.4)), _DARK)
    canvas.fill(stroke(1.9, (37, 25.4), (41, 22.9), (46.2, 24.2)), _BROWN)
    canvas.fill(stroke(1.9, (53.4, 27), (58, 26.4), (62.4, 27.4)), _BROWN)


def _paint_nose_and_mouth(canvas: Canvas) -> None:
    """A smile that rises to the right."""
    canvas.fill(
        stroke(1.3, (49.2, 28.5), (51.4, 34), (52.2, 37), (49.4, 38.6), (47.4, 38.2)),
        (184, 110, 84),
    )
    canvas.fill(ellipse(49.2, 35.4, 1.2, 1.8), (255, 232, 206), 0.8)
    canvas.fill(
        smooth((41.8, 41.6), (48, 43.4), (54, 42.4), (59.6, 39.2), (58.4, 44.6), (53, 48.4),
               (46.6, 47)),
        (128, 28, 40),
    )  # fmt: skip
    canvas.fill(
        smooth((43.6, 42.4), (48, 43.5), (54, 42.5), (58.6, 40.3), (57.6, 42.9), (53.4, 45),
               (47, 45)),
        _WHITE,
    )  # fmt: skip
    canvas.fill(ellipse(52.4, 47, 2.8, 1.2, -16), (232, 110, 110))
    canvas.fill(stroke(1.1, (40.4, 40.6), (41.6, 41.8), (43, 42.2)), (140, 60, 52))
    canvas.fill(stroke(1.1, (59.2, 38.2), (60.4, 39.2), (60.4, 40.8)), (140, 60, 52))


if __name__ == "__main__":
    FILE.write_bytes(f"P6 {WIDTH} {HEIGHT} 255\n".encode() + painted())
