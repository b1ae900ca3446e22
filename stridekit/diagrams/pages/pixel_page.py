"""Where pictures of pixels stand on the page: side by side, each over its header."""

from math import ceil
from typing import Final, NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import (
    WIDEST,
    Font,
    Page,
    Raster,
    in_rows,
    paint_notes,
    paint_title,
    text_width,
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


class _Plan(NamedTuple):
    """A picture's measures: a pixel's side, the picture's sides, and the room that it takes."""

    picture: Picture
    side: int
    width: float
    height: float
    room: int


def lay_out_pixels(scene: PixelScene) -> Page:
    """The page that shows pictures of pixels. It is as wide as a page of cells at most."""
    page = Page()
    top = paint_title(page, scene.title, EDGE, EDGE)
    side = _side(scene.pictures)
    plans = [_plan(picture, side) for picture in scene.pictures]
    for number, row in enumerate(in_rows(plans, lambda each: each.room, GAP, WIDEST - 2 * EDGE)):
        top += ROW_GAP if number else 0
        top = _paint_row(page, row, top)
    if scene.notes:
        top = paint_notes(page, scene.notes, EDGE, top + NOTE_GAP)
    page.width = ceil(page.width) + EDGE
    page.height = top + EDGE
    return page


def _side(pictures: tuple[Picture, ...]) -> int:
    """How large a pixel is: in all pictures alike, so that they can be compared."""
    longest = max((max(picture.rows, picture.columns) for picture in pictures), default=1)
    return min(max((ALONE if len(pictures) == 1 else BESIDE) // max(longest, 1), LEAST), MOST)


def _plan(picture: Picture, side: int) -> _Plan:
    width, height = float(picture.columns * side), float(picture.rows * side)
    if not picture.pixels:
        width, height = EMPTY
    texts = [NAME.width(picture.name)]
    texts += [
        text_width(line, LINE.size, bold=number in picture.emphatic)
        for number, line in enumerate(picture.header)
    ]
    return _Plan(picture, side, width, height, ceil(max(width, *texts)))


def _paint_row(page: Page, row: list[tuple[int, _Plan]], top: int) -> int:
    """A row of pictures: their names at one height, each header under its picture."""
    if any(each.picture.name for _, each in row):
        for x, each in row:
            page.write(NAME, EDGE + x, top + 8, each.picture.name)
        top += NAME_HEIGHT
    end = top
    for left, each in row:
        x = EDGE + left
        _paint_picture(page, each, x, top)
        y = top + ceil(each.height) + HEADER_GAP
        for number, line in enumerate(each.picture.header):
            font = OTHER if number in each.picture.emphatic else LINE
            page.write(font, x, y + LINE_HEIGHT * number + 4, line)
        end = max(end, y + LINE_HEIGHT * len(each.picture.header))
    return end


def _paint_picture(page: Page, planned: _Plan, x: int, y: int) -> None:
    picture, side, width, height, _ = planned
    if not picture.pixels:
        page.boxes[palette.NO_ELEMENTS].append((x, y, width, height))
        page.write(NOTHING, x + width / 2, y + height / 2, "0 pixels")
        return
    pixels = (picture.columns, picture.rows, picture.channels, picture.pixels)
    page.images.append(Raster((x, y, width, height), *pixels))
    page.over[palette.THIN].append((x - 0.5, y - 0.5, width + 1, height + 1))
    for row, column, rows, columns in picture.hidden:
        box = (x + column * side, y + row * side, columns * side, rows * side)
        page.over[HIDDEN].append(box)
    for row, column in picture.marked:
        # An outline around the pixel that shows on dark and on light ones.
        for pen, air in ((palette.SELECTED, 3), (palette.SELECTED_INSIDE, 1)):
            left, upper = x + column * side - air, y + row * side - air
            page.over[pen].append((left, upper, side + 2 * air, side + 2 * air))
    page.reach(x + width)
