"""Where pictures of pixels stand on the page: side by side, each over its header."""

from math import ceil
from typing import Final

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import (
    WIDEST,
    Font,
    Page,
    Raster,
    in_rows,
    paint_notes,
    paint_title,
)
from stridekit.diagrams.pages.palette import Paint
from stridekit.diagrams.scenes.pixel_scene import Picture, PixelScene

# A pixel is so many pixels of the page wide, at least and at most; one picture alone may be
# larger than one of several.
LEAST, MOST = 3, 24
ALONE, BESIDE = 480, 290
# Three pictures of 96 columns fill a page.
EDGE, GAP, ROW_GAP = 6, 12, 26
NAME_HEIGHT, HEADER_GAP, LINE_HEIGHT, NOTE_GAP = 24, 14, 18, 14
EMPTY = (120.0, 80.0)
NAME: Final = Font(13, bold=True)
LINE: Final = Font(12, ink=palette.MUTED)
OTHER: Final = Font(12, bold=True)
NOTHING: Final = Font(12, "middle")
# Not to be read: as cells outside of the storage look, without an edge around each.
HIDDEN: Final = Paint(palette.CARD, "#E8A5A0", palette.ALERT, 1)


def lay_out_pixels(scene: PixelScene) -> Page:
    """The page that shows pictures of pixels. It is as wide as a page of cells at most."""
    page = Page()
    top = paint_title(page, scene.title, EDGE, EDGE)
    # A pixel is as large in all pictures, so that they can be compared.
    longest = max((max(each.rows, each.columns, 1) for each in scene.pictures), default=1)
    side = min(max((ALONE if len(scene.pictures) == 1 else BESIDE) // longest, LEAST), MOST)
    parts = [(picture.name, _painted(picture, side)) for picture in scene.pictures]
    rows = in_rows(parts, lambda each: ceil(each[1].width), GAP, WIDEST - 2 * EDGE)
    for number, row in enumerate(rows):
        top += ROW_GAP if number else 0
        top += NAME_HEIGHT if any(name for _, (name, _) in row) else 0
        for x, (_, part) in row:
            page.take(part, EDGE + x, top)
        top += ceil(max(part.height for _, (_, part) in row))
    if scene.notes:
        top = paint_notes(page, scene.notes, EDGE, top + NOTE_GAP)
    page.width = ceil(page.width) + EDGE
    page.height = top + EDGE
    return page


def _painted(picture: Picture, side: int) -> Page:
    """A picture from 0 on, its name above it, its header below."""
    page = Page()
    if picture.name:
        page.write(NAME, 0, 8 - NAME_HEIGHT, picture.name)
    width, height = float(picture.columns * side), float(picture.rows * side)
    if not picture.pixels:
        width, height = EMPTY
        page.boxes[palette.NO_ELEMENTS].append((0, 0, width, height))
        page.write(NOTHING, width / 2, height / 2, "0 pixels")
    else:
        pixels = (picture.columns, picture.rows, picture.channels, picture.pixels)
        page.images.append(Raster((0, 0, width, height), *pixels))
        page.over[palette.THIN].append((-0.5, -0.5, width + 1, height + 1))
    for row, column, rows, columns in picture.hidden:
        page.over[HIDDEN].append((column * side, row * side, columns * side, rows * side))
    for row, column in picture.marked:
        # An outline around the pixel that shows on dark and on light ones.
        for pen, air in ((palette.SELECTED, 3), (palette.SELECTED_INSIDE, 1)):
            corner = column * side - air, row * side - air
            page.over[pen].append((*corner, side + 2 * air, side + 2 * air))
    page.reach(width)
    y = ceil(height) + HEADER_GAP
    for number, line in enumerate(picture.header):
        page.write(OTHER if number in picture.emphatic else LINE, 0, y + 4, line)
        y += LINE_HEIGHT
    page.height = y
    return page
