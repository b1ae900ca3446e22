"""Pictures of pixels as text: a character for each stretch of pixels, dense where it is dark."""

from stridekit.diagrams.scenes.pixel_words import brightness
from stridekit.diagrams.scenes.pixels import Picture, PixelScene

# From black to white, as on a light page. What cannot be read is a stroke of the hatch.
SHADES = "@%#*+=-:. "
UNREAD = "/"
COLUMNS_MOST = 96
# A character is twice as high as wide.
HIGH = 2


def to_pixel_text(scene: PixelScene) -> str:
    """The scene as lines of text: each picture under its name, over its header."""
    parts = [[scene.title]] if scene.title else []
    for picture in scene.pictures:
        name = [picture.name] if picture.name else []
        lines = _lines(picture) or ["(0 pixels)"]
        parts.append([*name, *lines, " · ".join(picture.header)])
    if any(picture.pixels for picture in scene.pictures):
        unread = any(picture.hidden for picture in scene.pictures)
        parts.append(
            [f"dark {SHADES.rstrip()} bright" + (f", not readable {UNREAD}" if unread else "")]
        )
    if scene.notes:
        parts.append([*scene.notes])
    return "\n\n".join("\n".join(lines) for lines in parts)


def _lines(picture: Picture) -> list[str]:
    """The picture in characters, each the mean of its pixels. Bright lines end early."""
    rows, columns = picture.rows, picture.columns
    if not columns:
        return []
    shades, seen = bytearray(brightness(picture.pixels, picture.channels)), None
    if picture.hidden:
        seen = bytearray(b"\1") * len(shades)
        for row, column, height, width in picture.hidden:
            for start in range(row * columns + column, (row + height) * columns, columns):
                shades[start : start + width] = seen[start : start + width] = bytes(width)
    wide = -(-columns // COLUMNS_MOST)
    lines = []
    for top in range(0, rows, wide * HIGH):
        bottom = min(top + wide * HIGH, rows)
        totals = _totals(shades, columns, top, bottom, wide)
        if seen is None:
            counts = [(bottom - top) * min(wide, columns - x) for x in range(0, columns, wide)]
        else:
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
