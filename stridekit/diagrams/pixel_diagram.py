"""`draw_pixels`: small images, each read through its header, side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Final, SupportsIndex

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.page import (
    WIDEST,
    Font,
    Page,
    Raster,
    in_rows,
    paint_notes,
    paint_title,
)
from stridekit.diagrams.scenes import arguments
from stridekit.diagrams.scenes.pixel_scene import Picture, PixelScene, compose_pixels
from stridekit.diagrams.scenes.pixel_words import CALL, brightness
from stridekit.errors import ArgumentError
from stridekit.layouts.layout import Layout
from stridekit.layouts.whole_numbers import as_ints, counting

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A pixel is so many pixels of the page wide, at least and at most; one picture alone may be
# larger than one of several.
LEAST, MOST = 3, 24
ALONE, BESIDE = 480, 290
# Three pictures of 96 columns fill a page.
EDGE, GAP, ROW_GAP = 6, 12, 26
NAME_HEIGHT, HEADER_GAP, LINE_HEIGHT, NOTE_GAP = 24, 14, 18, 14
EMPTY = (120.0, 80.0)
NAME: Final = Font(13, bold=True)
LINE: Final = Font(12, ink=colours.MUTED)
OTHER: Final = Font(12, bold=True)
NOTHING: Final = Font(12, "middle")
# Not to be read: as cells outside of the storage look, without an edge around each.
HIDDEN: Final = Paint(colours.CARD, "#E8A5A0", colours.ALERT, 1)
# As text, from black to white, as on a light page. What cannot be read is a stroke of the hatch.
SHADES = "@%#*+=-:. "
UNREAD = "/"
COLUMNS_MOST = 96
# A character is twice as high as wide.
HIGH = 2


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
        page.boxes[colours.NO_ELEMENTS].append((0, 0, width, height))
        page.write(NOTHING, width / 2, height / 2, "0 pixels")
    else:
        pixels = (picture.columns, picture.rows, picture.channels, picture.pixels)
        page.images.append(Raster((0, 0, width, height), *pixels))
        page.over[colours.THIN].append((-0.5, -0.5, width + 1, height + 1))
    for row, column, rows, columns in picture.hidden:
        page.over[HIDDEN].append((column * side, row * side, columns * side, rows * side))
    for row, column in picture.marked:
        # An outline around the pixel that shows on dark and on light ones.
        for pen, air in ((colours.SELECTED, 3), (colours.SELECTED_INSIDE, 1)):
            corner = column * side - air, row * side - air
            page.over[pen].append((*corner, side + 2 * air, side + 2 * air))
    page.reach(width)
    y = ceil(height) + HEADER_GAP
    for number, line in enumerate(picture.header):
        page.write(OTHER if number in picture.emphatic else LINE, 0, y + 4, line)
        y += LINE_HEIGHT
    page.height = y
    return page


def to_pixel_text(scene: PixelScene) -> str:
    """The scene as lines of text: each picture under its name, over its header."""
    parts = [[scene.title]]
    for picture in scene.pictures:
        name = [picture.name] if picture.name else []
        lines = _lines(picture) or ["(0 pixels)"]
        parts.append([*name, *lines, " · ".join(picture.header)])
    if any(picture.pixels for picture in scene.pictures):
        unread = any(picture.hidden for picture in scene.pictures)
        parts.append(
            [f"dark {SHADES.rstrip()} bright" + (f", not readable {UNREAD}" if unread else "")]
        )
    parts.append([*scene.notes])
    return "\n\n".join(filter(None, map("\n".join, parts)))


def _lines(picture: Picture) -> list[str]:
    """The picture in characters, each the mean of its pixels. Bright lines end early."""
    rows, columns = picture.rows, picture.columns
    if not columns:
        return []
    shades = bytearray(brightness(picture.pixels, picture.channels))
    seen = bytearray(b"\1") * len(shades)
    for row, column, height, width in picture.hidden:
        for start in range(row * columns + column, (row + height) * columns, columns):
            shades[start : start + width] = seen[start : start + width] = bytes(width)
    wide = -(-columns // COLUMNS_MOST)
    lines = []
    for top in range(0, rows, wide * HIGH):
        bottom = min(top + wide * HIGH, rows)
        totals = _totals(shades, columns, top, bottom, wide)
        counts = _totals(seen, columns, top, bottom, wide)
        line = (
            SHADES[total * len(SHADES) // (256 * shown)] if shown else UNREAD
            for total, shown in zip(totals, counts, strict=True)
        )
        lines.append("".join(line).rstrip())
    return lines


def _totals(numbers: bytearray, columns: int, top: int, bottom: int, wide: int) -> list[int]:
    """The sums of a band of rows, so many columns at once."""
    band = [numbers[row * columns : (row + 1) * columns] for row in range(top, bottom)]
    each = [*map(sum, zip(*band, strict=True))]
    return each if wide == 1 else [sum(each[x : x + wide]) for x in range(0, columns, wide)]


class PixelDiagram(Diagram):
    """Pictures of pixels: `.figure()`, `.svg()`, `.text()`, `.alt`, `.save(path)`, as a Diagram's.

    >>> sk.draw_pixels(sk.face("HW")).scene.pictures[0].columns
    96
    """

    scene: PixelScene  # type: ignore[assignment] # a scene of another kind

    def _laid_out(self, _width: int) -> Page:
        return lay_out_pixels(self.scene)

    def text(self) -> str:
        """The pictures as text: dense where they are dark."""
        return to_pixel_text(self.scene)

    def _touch_data(self, _width: int = 0) -> str:
        # There are no cells to point at.
        return ""


def draw_pixels(
    *tensors: object,
    size: Iterable[SupportsIndex] | None = None,
    stride: Iterable[SupportsIndex] | None = None,
    storage_offset: SupportsIndex | None = None,
    dims: str | Mapping[str, str] | None = None,
    low: float | None = None,
    high: float | None = None,
    select: object = None,
    compare: bool = True,
    title: str | None = None,
    ax: "Axes | None" = None,
) -> PixelDiagram:
    """Small images as they look, each read through its header: what strides do becomes visible.

    Give a tensor, several, a list, or a dict of names to tensors: they stand side by side, each
    over its header. The header's lines that the first picture has otherwise are bold.

    - `size`, `stride`, `storage_offset`: another header over the one tensor's storage, in
      elements; what is not given stays the tensor's own, and a size without a stride is
      row-major. A `Layout` among several tensors is such a header over the first one's storage.
      Positions outside the storage are hatched, and never read. Strides may be negative.
    - `dims`: which dim is which, as "HW", "HWC", "CHW", "NCHW": H the rows, W the columns, C 1, 3
      or 4 channels (grey, RGB, RGB and opacity), N several images. Without it the size decides
      where it can. A dict of names to such letters says it picture by picture.
    - `low` and `high`: the values that are black and white. Usually 0 and 255 for whole numbers,
      0 and 1 for floats and bool. What lies beyond is shown as black or white, and a note says so;
      so it does where all is nearly black.
    - `select=(row, column)`: a pixel of the first picture. Its memory is outlined in all pictures.
    - `compare=False`: does not say what the other headers do to the first picture.
    - `ax`: matplotlib axes to draw on.

    Of an image with more than 256 rows or columns every nth is shown, and a note says which.
    Raises ArgumentError for what is not an image, or where the dims have to be said; LayoutError
    for what is not a header; DTypeError for complex numbers; IndexRangeError for a pixel that is
    not there; InteropError for a tensor without memory; and what `draw` raises.

    >>> face = sk.face("HW")
    >>> wrong = sk.draw_pixels({"face": face, "wrong": sk.Layout((64, 96), (97, 1))})
    >>> print(wrong.scene.notes[0])
    wrong: each row is drawn 1 pixel further to the left than the one above it.
    """
    heading = arguments.heading(CALL, title)
    named = arguments.named_tensors(CALL, tensors, heading)
    if all(isinstance(x, Layout) for _, x in named):
        raise ArgumentError(
            f"{CALL}: a Layout is a header, and there is no tensor whose storage it could read. "
            "Give the tensor too: draw_pixels([x, layout])."
        )
    first = arguments.one_subject(CALL, next(x for _, x in named if not isinstance(x, Layout)))
    subjects = [
        (
            name,
            replace(first, layout=x) if isinstance(x, Layout) else arguments.one_subject(CALL, x),
        )
        for name, x in named
    ]
    if any(part is not None for part in (size, stride, storage_offset)):
        if len(subjects) != 1:
            raise ArgumentError(
                f"{CALL}: size, stride and storage_offset make another header over one tensor, and "
                f"these are {len(subjects)}. Give a stridekit.Layout among them instead."
            )
        if size is not None:
            size = counting(CALL, as_ints(CALL, "a size", size))
        name, subject = subjects[0]
        layout = arguments.header(CALL, subject.layout, size, stride, storage_offset)
        subjects = [(name, replace(subject, layout=layout))]
    if isinstance(dims, Mapping):
        arguments.require_names(CALL, dims, dict(named))
    over = "" if len(named) == 1 and named[0][0] == heading else heading
    scene = compose_pixels(subjects, over, dims, (low, high), select, compare=compare)
    return PixelDiagram(scene, ax)  # type: ignore[arg-type]
