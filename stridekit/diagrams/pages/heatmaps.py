"""The map of a large tensor: a block of a shade for the mean of many elements, beside its grid."""

from collections.abc import Sequence
from math import ceil

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import NOTE, Box, Font, Page, Raster
from stridekit.diagrams.scenes.scene import Heatmap

# A block's side, and how long the scale of the shades is.
BLOCK, SCALE = 10, 96
_TITLE = Font(13, bold=True)
_TITLE_ROOM, _SCALE_GAP = 18, 12


class HeatmapPlan:
    """A map's measures, in pixels: `top` is the room above its blocks."""

    top = _TITLE_ROOM

    def __init__(self, heatmap: Heatmap) -> None:
        self._heatmap = heatmap
        self._title = f"means of the blocks{f' of {heatmap.name}' if heatmap.name else ''}"
        self._low, self._high = (ceil(NOTE.width(text)) + 6 for text in (heatmap.low, heatmap.high))
        self._rows, self._columns = len(heatmap.means), len(heatmap.means[0])
        scale = self._low + SCALE + self._high
        self.width = max(self._columns * BLOCK, scale, ceil(_TITLE.width(self._title)))
        self.height = self.top + self._rows * BLOCK + _SCALE_GAP + BLOCK

    def paint(self, page: Page, x: int, y: int, head: int) -> None:
        """Put it on the page, and a scale of its shades below; its blocks begin at y + head."""
        page.write(_TITLE, x, y + head - _TITLE_ROOM + 8, self._title)
        means = [mean for row in self._heatmap.means for mean in row]
        box = x, y + head, self._columns * BLOCK, self._rows * BLOCK
        _paint_shades(page, box, self._columns, means)
        foot = y + head + self._rows * BLOCK + _SCALE_GAP
        steps: list[float | None] = [step / SCALE for step in range(SCALE)]
        _paint_shades(page, (x + self._low, foot, SCALE, BLOCK), SCALE, steps)
        page.write(NOTE, x, foot + BLOCK / 2, self._heatmap.low)
        page.write(NOTE, x + self._low + SCALE + 6, foot + BLOCK / 2, self._heatmap.high)


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
