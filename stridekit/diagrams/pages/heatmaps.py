"""The map of a large tensor: a block of a shade for the mean of many elements, beside its grid."""

from collections.abc import Sequence
from math import ceil

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.grids import GridPart
from stridekit.diagrams.pages.page import NOTE, Box, Font, Page, Raster
from stridekit.diagrams.scenes.scene import Heatmap

# A block's side, and how long the scale of the shades is.
BLOCK, SCALE = 10, 96
_TITLE = Font(13, bold=True)
_TITLE_ROOM, _SCALE_GAP = 18, 12


def paint_heatmap(heatmap: Heatmap) -> GridPart:
    """A map under its title, with a scale of its shades below."""
    body, rows, columns = Page(), len(heatmap.means), len(heatmap.means[0])
    name = f" of {heatmap.name}" if heatmap.name else ""
    body.write(_TITLE, 0, 8 - _TITLE_ROOM, f"means of the blocks{name}")
    means = [mean for row in heatmap.means for mean in row]
    _paint_shades(body, (0, 0, columns * BLOCK, rows * BLOCK), columns, means)
    foot = rows * BLOCK + _SCALE_GAP
    low, high = (ceil(NOTE.width(text)) + 6 for text in (heatmap.low, heatmap.high))
    steps: list[float | None] = [step / SCALE for step in range(SCALE)]
    _paint_shades(body, (low, foot, SCALE, BLOCK), SCALE, steps)
    body.write(NOTE, 0, foot + BLOCK / 2, heatmap.low)
    body.write(NOTE, low + SCALE + 6, foot + BLOCK / 2, heatmap.high)
    body.height = foot + BLOCK
    width = max(columns * BLOCK, low + SCALE + high, ceil(body.width))
    return GridPart(Page(), body, _TITLE_ROOM, width)


def _paint_shades(page: Page, box: Box, columns: int, values: Sequence[float | None]) -> None:
    """Values as shades from their least to their greatest, in rows; what is none is hatched."""
    known = [value for value in values if value is not None]
    # Halves, for the span of what a float holds is no float.
    low, span = min(known) / 2, (max(known) / 2 - min(known) / 2) or 1
    shares = [0 if value is None else (value / 2 - low) / span for value in values]
    shades = [palette.mixed(palette.LOWEST, palette.HIGHEST, share) for share in shares]
    pixels = bytes(channel for shade in shades for channel in palette.channels_of(shade))
    page.images.append(Raster(box, columns, len(values) // columns, 3, pixels))
    page.over[palette.THIN].append(box)
    for number, value in enumerate(values):
        if value is None:
            row, column = divmod(number, columns)
            corner = box[0] + column * BLOCK, box[1] + row * BLOCK
            page.over[palette.look_of(None)].append((*corner, BLOCK, BLOCK))
