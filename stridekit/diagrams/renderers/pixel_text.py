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
    shades = brightness(picture.pixels, picture.channels)
    hidden = bytearray(len(shades))
    for row, column, height, width in picture.hidden:
        for y in range(row, row + height):
            hidden[y * columns + column : y * columns + column + width] = b"\1" * width
    wide = max(-(-columns // COLUMNS_MOST), 1)
    lines = []
    for top in range(0, rows, wide * HIGH):
        line = []
        for left in range(0, columns, wide):
            places = [
                y * columns + x
                for y in range(top, min(top + wide * HIGH, rows))
                for x in range(left, min(left + wide, columns))
            ]
            seen = [shades[place] for place in places if not hidden[place]]
            if len(seen) * 2 < len(places):
                line.append(UNREAD)
            else:
                line.append(SHADES[sum(seen) * len(SHADES) // (256 * len(seen))])
        lines.append("".join(line).rstrip())
    return lines if columns else []
