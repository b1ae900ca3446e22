"""A page as SVG, written directly: a few kilobytes, well under a millisecond.

Text stays text, in the fonts of whoever looks at it. Labels say how wide they were laid out, so
that another font is fitted to their place and never runs into its neighbour; digits in cells are
as wide in any monospaced font, and have room. What looks alike is one group or one path, and all
numbers of a line are one element: a browser takes longer over elements than over their text.

Pictures of pixels stand in it as PNG files, made by the standard library alone (RFC 2083).
"""

import struct
import zlib
from base64 import b64encode
from collections import defaultdict
from functools import lru_cache
from html import escape

from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.page import (
    DIGIT_HEIGHT,
    LEFT,
    Anchor,
    Box,
    Font,
    Page,
    Point,
    Raster,
    Run,
    text_width,
)
from stridekit.diagrams.renderers.themes import OR, Theme, card_of, themed

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# What the format calls grey, colour, and colour with an opacity.
_COLOUR_TYPES = {1: 0, 3: 2, 4: 6}
# Half as quick and a tenth smaller is no gain for a picture that is drawn at each key.
LEVEL = 4
# So much of a large picture tells whether packing it is worth the time: noise stays as it is.
_SAMPLE, _WORTH = 4096, 0.9


def to_png(columns: int, rows: int, channels: int, pixels: bytes) -> bytes:
    """A PNG of pixels given row by row, a byte for each of their 1, 3 or 4 channels.

    >>> to_png(2, 1, 1, bytes((0, 255)))[1:4]
    b'PNG'
    """
    assert len(pixels) == columns * rows * channels
    header = struct.pack(">2I5B", columns, rows, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    length = columns * channels
    # Each row begins with the number of its filter: 0 for none.
    lines = b"".join(b"\0" + pixels[row * length : (row + 1) * length] for row in range(rows))
    packed = zlib.compress(lines, _level_for(lines))
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _level_for(lines: bytes) -> int:
    """How hard to pack: not at all where pieces from all over get hardly smaller."""
    if len(lines) <= 16 * _SAMPLE:
        return LEVEL
    step = len(lines) // 4
    pieces = b"".join(lines[at : at + _SAMPLE // 4] for at in range(0, 4 * step, step))
    return LEVEL if len(zlib.compress(pieces, 1)) < _WORTH * len(pieces) else 0


def _chunk(name: bytes, content: bytes) -> bytes:
    """A part of the file: its length, name and content, and a sum to check the last two."""
    length, check = (struct.pack(">I", n) for n in (len(content), zlib.crc32(name + content)))
    return length + name + content + check


# How wide a rim around text is drawn; the text covers the inner half.
HALO = 4
NUMBERS_MOST = 10_000
# From here on characters are wider than a digit: Chinese, emoji.
WIDE = "\u2e80"
# Rules reach only into pictures of ours, also where one stands inline in a page.
STYLE = (
    ".stridekit text{font-family:'DejaVu Sans',Verdana,sans-serif}"
    ".stridekit .m text{font-family:'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace}"
    ".stridekit .b text{font-weight:bold}"
)
# An image of its own asks the page that holds it; inline, a picture is part of that page. Where
# images cannot ask, as in Safari, touch.js puts #dark behind their address.
_FOLLOWS = (
    "svg.stridekit:root{color-scheme:light dark}"
    "@media screen{svg.stridekit:root:target{color-scheme:dark}}"
)


def to_svg(page: Page, alt: str, theme: Theme = "light") -> str:
    """The page as an SVG document. The same page always gives the same text.

    In the theme "auto" it is light or dark as CSS's `color-scheme` is where it stands, and light
    where that is not understood.
    """
    page = themed(page, theme)
    style = STYLE + _FOLLOWS if theme == "auto" else STYLE
    width, height = _spelled[page.width], _spelled[page.height]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="stridekit" role="img" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(alt, quote=False)}</title>",
        f"<style>{style}</style>",
    ]
    paints = (*page.boxes, *page.over)
    hatched = sorted({(paint.fill, paint.hatch) for paint in paints if paint.hatch})
    if hatched:
        parts += ["<defs>", *(_pattern(*look) for look in hatched), "</defs>"]
    card = coloured(fill=card_of(theme))
    parts.append(f'<rect width="{width}" height="{height}" rx="6"{card}/>')
    parts += [_boxes(paint, boxes) for paint, boxes in page.boxes.items()]
    parts += map(_image, page.images)
    for pen, lines in page.lines.items():
        path = "".join(map(_line, lines))
        parts.append(f'<path{drawn(pen)} d="{path}"/>')
    for pen, curves in page.curves.items():
        path = "".join(f"M{_at(start)}C{' '.join(map(_at, rest))}" for start, *rest in curves)
        parts.append(f'<path{drawn(pen)} d="{path}"/>')
    for colour, shapes in page.shapes.items():
        path = "".join(f"{_line(points)}z" for points in shapes)
        parts.append(f'<path{coloured(fill=colour)} d="{path}"/>')
    parts += [_boxes(paint, boxes) for paint, boxes in page.over.items()]
    for font, runs in page.texts.items():
        if not runs:
            continue
        if font.fitted:
            parts += [_font(font), _labels(font, runs), "</g>"]
            continue
        numbers = _numbers(font, runs)
        if font.halo:
            # Rims first, for the rim of a digit must not cover the digit before it.
            parts += [_font(font._replace(ink=font.halo)), numbers, "</g>"]
            font = font._replace(halo="")
        parts += [_font(font), numbers, "</g>"]
    parts.append("</svg>")
    return "\n".join(parts)


class _Spelled(dict[float, str]):
    """Numbers as SVG has them. The same ones come again and again, also in other pictures."""

    def __init__(self, places: int) -> None:
        self.places = places

    def __missing__(self, number: float) -> str:
        if len(self) >= NUMBERS_MOST:
            self.clear()
        # Not -0, which is found as 0.
        self[number] = text = f"{round(number, self.places) + 0:g}"
        return text


_spelled, _rounded = _Spelled(6), _Spelled(1)


def _image(image: Raster) -> str:
    """Pixels as a PNG of their own, scaled without being smoothed."""
    x, y, width, height = (_spelled[side] for side in image.box)
    png = b64encode(to_png(*image[1:])).decode()
    return (
        f'<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{png}"/>'
    )


def _boxes(paint: Paint, boxes: list[Box]) -> str:
    path = "".join(
        f"M{_spelled[x]} {_spelled[y]}h{_spelled[w]}v{_spelled[h]}h-{_spelled[w]}z"
        for x, y, w, h in boxes
    )
    return f'<path{drawn(paint)} d="{path}"/>'


@lru_cache(maxsize=512)
def drawn(paint: Paint) -> str:
    """The attributes of what has a fill and a stroke. A hatch is a pattern in the document."""
    fill, hatch, stroke, weight, dash = paint
    if hatch:
        fill = f"url(#{_pattern_name(fill, hatch)})"
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'{coloured(fill=fill, stroke=stroke)} stroke-width="{weight:g}"{dashed}'


def coloured(**colours: str) -> str:
    """Attributes that give colours. One that is both has its light one for what knows no other."""
    attributes = style = ""
    for name, colour in colours.items():
        light, _, dark = colour.partition(OR)
        attributes += f' {name}="{light}"'
        if dark:
            style += f"{';' if style else ''}{name}:light-dark({light},{dark})"
    return f'{attributes} style="{style}"' if style else attributes


def _line(points: tuple[Point, ...]) -> str:
    return "M" + "L".join(map(_at, points))


def _at(point: Point) -> str:
    return f"{_rounded[point[0]]} {_rounded[point[1]]}"


@lru_cache(maxsize=512)
def _font(font: Font) -> str:
    looks = " ".join(("m",) * font.mono + ("b",) * font.bold)
    look = f' class="{looks}"' if looks else ""
    anchor = "" if font.anchor == "start" else f' text-anchor="{font.anchor}"'
    colours, halo = coloured(fill=font.ink), ""
    if font.halo:
        colours = coloured(fill=font.ink, stroke=font.halo)
        halo = f' stroke-width="{HALO}" stroke-linejoin="round" paint-order="stroke"'
    return f'<g{look} font-size="{font.size:g}"{anchor}{colours}{halo}>'


def _labels(font: Font, runs: list[Run]) -> str:
    """Each text an element, as wide as it was laid out."""
    # SVG has a text's y below the middle of its digits.
    down = font.size * DIGIT_HEIGHT / 2
    return "\n".join(
        f'<text x="{_spelled[x]}" y="{_rounded[y + down]}" '
        f'textLength="{font.width(text):.1f}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(text, quote=False)}</text>'
        for x, y, text, _ in runs
    )


def _numbers(font: Font, runs: list[Run]) -> str:
    """All texts of a line in one element, which places each character; but for wide characters."""
    size, anchor, down = font.size, font.anchor, font.size * DIGIT_HEIGHT / 2
    lines: dict[float, list[Run]] = defaultdict(list)
    for run in runs:
        lines[run[1]].append(run)
    found = []
    for y, line in lines.items():
        texts = escape("".join([text for _, _, text, _ in line]), quote=False)
        if not texts.isascii() and max(texts) >= WIDE:
            found.append(_labels(font, line))
            continue
        places = " ".join([_places(x, len(text), size, anchor) for x, _, text, _ in line])
        found.append(f'<text x="{places}" y="{_rounded[y + down]}">{texts}</text>')
    return "\n".join(found)


@lru_cache(maxsize=NUMBERS_MOST)
def _places(x: float, count: int, size: float, anchor: Anchor) -> str:
    """Where each of so many digits stands, whose text stands at x."""
    step = text_width("0", size, mono=True)
    first = x - step * LEFT[anchor] * (count - 1)
    return " ".join(f"{round(first + step * number, 1):g}" for number in range(count))


def _pattern(fill: str, hatch: str) -> str:
    return (
        f'<pattern id="{_pattern_name(fill, hatch)}" width="7" height="7" '
        f'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<rect width="7" height="7"{coloured(fill=fill)}/>'
        f'<path d="M0 0v7"{coloured(stroke=hatch)} stroke-width="2"/></pattern>'
    )


def _pattern_name(fill: str, hatch: str) -> str:
    return f"hatch-{fill}-{hatch}-up".replace("#", "").replace(OR, ".")
