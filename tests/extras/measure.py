"""Measuring a page: the box of each text as matplotlib paints it, and what it runs into."""

from functools import cache
from itertools import pairwise

import numpy as np

from stridekit.diagrams.renderers.mpl import placed

# Outlines may come so near, in pixels.
AIR = 0.3


def text_boxes(page):
    """Each text with the rectangle that its outline fills: left, right, top, bottom."""
    for font, runs in page.texts.items():
        for x, y, text, _ in runs:
            if box := outline(font, text):
                left, right, top, bottom = box
                yield text, x + left, x + right, y + top, y + bottom


def texts_and_sides(page):
    """The texts, and where each begins and ends: left, right, top, bottom."""
    boxes = [*text_boxes(page)]
    return [box[0] for box in boxes], np.array([box[1:] for box in boxes]).reshape(-1, 4).T


@cache
def outline(font, text):
    """What a text at the origin fills: left, right, top, bottom; None where there is no ink."""
    verts, _ = placed(font, 0, 0, text)
    if not len(verts):
        return None
    (left, top), (right, bottom) = verts.min(axis=0), verts.max(axis=0)
    return left, right, top, bottom


def collisions(page):
    """Texts that run into each other, leave the page, or are crossed by a line or an arrow."""
    texts, (left, right, top, bottom) = texts_and_sides(page)
    meets = (
        (left[:, None] + AIR < right[None]) & (left[None] + AIR < right[:, None])
        & (top[:, None] + AIR < bottom[None]) & (top[None] + AIR < bottom[:, None])
    )  # fmt: skip
    for i, j in zip(*np.nonzero(np.triu(meets, 1)), strict=True):
        yield texts[i], texts[j]
    off = (left < 0) | (top < 0) | (right > page.width) | (bottom > page.height)
    for i in np.nonzero(off)[0]:
        yield texts[i], "the page"
    points = np.concatenate([np.empty((0, 2)), *line_points(page)])
    if len(points) and texts:
        x, y = points[:, :1], points[:, 1:]
        inside = (x > left + AIR) & (x < right - AIR) & (y > top + AIR) & (y < bottom - AIR)
        for i in np.nonzero(inside.any(axis=0))[0]:
            yield texts[i], "a line"


def line_points(page):
    """Points a pixel apart on every line and arrow, an array for each."""
    for lines in page.lines.values():
        for line in lines:
            for (x0, y0), (x1, y1) in pairwise(line):
                steps = int(max(abs(x1 - x0), abs(y1 - y0))) + 1
                yield np.linspace((x0, y0), (x1, y1), steps)
    for curves in page.curves.values():
        for curve in curves:
            p0, p1, p2, p3 = (np.array(point) for point in curve)
            steps = int(abs(p3 - p0).sum() + abs(p1 - p0).sum()) + 2
            t = np.linspace(0, 1, steps)[:, np.newaxis]
            yield (
                (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t**2 * p2 + t**3 * p3
            )


def overflowing(page):
    """Texts in the middle of a cell that are wider than the cell."""
    cells = np.array([box for boxes in page.boxes.values() for box in boxes]).reshape(-1, 4)
    x, y, width, height = cells.T
    texts, sides = texts_and_sides(page)
    left, right, top, bottom = sides[..., None]
    across, down = (left + right) / 2, (top + bottom) / 2
    around = (x < across) & (across < x + width) & (y < down) & (down < y + height)
    beyond = (left < x) | (right > x + width) | (top < y) | (bottom > y + height)
    for i in np.nonzero(around & beyond)[0]:
        yield texts[i]
