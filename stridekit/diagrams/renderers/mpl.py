"""A page as a matplotlib figure: an object of its own, never pyplot's.

Cells of one kind are one collection, texts of one colour one path of cached glyphs. That is
several times quicker than an artist for each.
"""

from collections import defaultdict
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib import rc_context, rcParams
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextToPath
from PIL import Image  # matplotlib brings it along

from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.page import (
    DIGIT_HEIGHT,
    Box,
    Font,
    Page,
    Points,
    Raster,
    text_width,
)
from stridekit.diagrams.renderers.svg import HALO, WIDE
from stridekit.diagrams.renderers.themes import Theme, card_of, themed

PIXELS_PER_INCH = 96
SMALL_DPI, COLOURS = 144, 64
# matplotlib measures lines in points.
_POINTS = 72 / PIXELS_PER_INCH
_to_path = TextToPath()


# What a user's settings, such as those of xkcd, would make of a card and of what stands on it.
_PLAIN: Any = {
    "figure.frameon": True,
    "patch.antialiased": True,
    "path.effects": [],
    "path.sketch": None,
    "savefig.bbox": None,
    "savefig.edgecolor": "auto",
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
}


def plainly() -> AbstractContextManager[None]:
    """Inside of it a figure is made, or saved, as it is everywhere."""
    # To keep all settings takes long.
    is_plain = all(rcParams[name] == value for name, value in _PLAIN.items())
    return nullcontext() if is_plain else rc_context(_PLAIN)


def to_figure(page: Page, theme: Theme = "light") -> Figure:
    """A new figure, as large as the page."""
    with plainly():
        figure = Figure(
            figsize=(page.width / PIXELS_PER_INCH, page.height / PIXELS_PER_INCH),
            dpi=PIXELS_PER_INCH,
            facecolor=card_of(theme),
        )
        paint(page, figure.add_axes((0, 0, 1, 1)), theme)
    return figure


def theme_of(ax: Axes) -> Theme:
    """The theme that can be read on the figure of some axes. One without a colour is light."""
    figure: Any = ax.get_figure()
    red, green, blue, alpha = to_rgba(figure.get_facecolor())
    return "dark" if alpha > 0.5 and 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "light"


def small_png(page: Page) -> bytes:
    """The page as a PNG of few colours, a fifth as large: notebooks keep it with each output.

    Pictures of pixels have all their colours.
    """
    figure, small = to_figure(page), BytesIO()
    if page.images:
        with plainly():
            figure.savefig(small, dpi=SMALL_DPI, format="png")
        return small.getvalue()
    figure.dpi = SMALL_DPI
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call, unused-ignore]
    pixels = canvas.buffer_rgba()  # type: ignore[no-untyped-call, unused-ignore]
    drawn = Image.fromarray(np.asarray(pixels)).convert("RGB")
    few = drawn.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # The colours found are means, and the card is quite white.
    few.putpalette([255 if channel >= 253 else channel for channel in few.getpalette() or ()])
    # At 9 it would be a hundredth smaller, and take half as long again.
    few.save(small, "PNG", compress_level=8)
    return small.getvalue()


def paint(page: Page, ax: Axes, theme: Theme) -> None:
    """Paint the page on axes of any size: it is scaled, never stretched.

    The card is the axes' figure, whose colour stays.
    """
    page = themed(page, theme)
    # Lines, dashes and hatches are measured in points, whatever the size of the axes.
    figure: Any = ax.get_figure(root=True)
    box, (width, height) = ax.get_position(), figure.get_size_inches() * PIXELS_PER_INCH
    scale = float(min(box.width * width / page.width, box.height * height / page.height)) * _POINTS
    _paint_boxes(ax, page.boxes, scale)
    for image in page.images:
        _paint_image(ax, image)
    ax.set_xlim(0, page.width)
    ax.set_ylim(page.height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    _paint_lines(ax, page.lines, Path.LINETO, scale)
    _paint_lines(ax, page.curves, Path.CURVE4, scale)
    for colour, shapes in page.shapes.items():
        ax.add_collection(
            PolyCollection(shapes, facecolors=colour, edgecolors="none"), autolim=False
        )
    _paint_boxes(ax, page.over, scale)
    for (ink, halo), path in text_paths(page).items():
        # add_patch would measure every glyph, to set limits that are set already.
        if halo:
            rim = HALO * scale
            ax.add_artist(PathPatch(path, facecolor=halo, edgecolor=halo, linewidth=rim))
        ax.add_artist(PathPatch(path, facecolor=ink, edgecolor="none"))


def _paint_image(ax: Axes, image: Raster) -> None:
    """Pixels in their box."""
    (x, y, width, height), columns, rows, channels, pixels = image
    # Without a third dim matplotlib would choose colours of its own for grey.
    shape = (rows, columns, channels) if channels > 1 else (rows, columns)
    shades = np.frombuffer(pixels, np.uint8).reshape(shape)
    extent = (x, x + width, y + height, y)
    drawn = ax.imshow(
        shades, "gray", vmin=0, vmax=255, interpolation="nearest", origin="upper", extent=extent
    )
    drawn.set_zorder(1)


def _paint_boxes(ax: Axes, boxes: dict[Paint, list[Box]], scale: float) -> None:
    """One collection for all boxes that differ in their fill alone; a hatch needs its own."""
    alike: dict[Paint, list[tuple[str, Box]]] = defaultdict(list)
    for look, some in boxes.items():
        key = look if look.hatch else look._replace(fill="")
        alike[key] += [(look.fill, box) for box in some]
    for look, filled in alike.items():
        corners = np.array([box for _, box in filled])
        x0, y0 = corners[:, 0], corners[:, 1]
        x1, y1 = x0 + corners[:, 2], y0 + corners[:, 3]
        verts = np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 4, 2)
        fills: Any = [fill for fill, _ in filled]
        if look.hatch:
            # Up to matplotlib 3.10 a hatch has the colour of an edge: here of one without width.
            hatched = PolyCollection(
                list(verts), facecolors=fills, edgecolors=look.hatch, linewidths=0, hatch="////"
            )
            hatched.set_hatch_linewidth(0.6)
            ax.add_collection(hatched, autolim=False)
            fills = "none"
        collection = PolyCollection(
            list(verts),
            facecolors=fills,
            edgecolors=look.stroke,
            linewidths=look.weight * scale,
            linestyles=_dash(look.dash, look.weight),
        )
        ax.add_collection(collection, autolim=False)


def _paint_lines(ax: Axes, lines: dict[Paint, list[Points]], to_next: Any, scale: float) -> None:
    """Lines, or curves, of one look as one path."""
    for pen, some in lines.items():
        codes = [code for line in some for code in (Path.MOVETO, *[to_next] * (len(line) - 1))]
        collection = PathCollection(
            [Path([point for line in some for point in line], codes)],
            facecolors="none",
            edgecolors=pen.stroke,
            linewidths=pen.weight * scale,
            linestyles=_dash(pen.dash, pen.weight),
        )
        ax.add_collection(collection, autolim=False)


def _dash(dash: str, weight: float) -> Any:
    """A dash in pixels as matplotlib counts it: in line widths."""
    return (0, [float(length) / weight for length in dash.split()]) if dash else "solid"


def text_paths(page: Page) -> dict[tuple[str, str], Path]:
    """The outlines of all texts, by their colour and that of the rim around them."""
    parts: dict[tuple[str, str], list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]] = (
        defaultdict(list)
    )
    for font, runs in page.texts.items():
        for x, y, text, _ in runs:
            parts[font.ink, font.halo].append(placed(font, x, y, text))
    return {
        look: Path(
            np.concatenate([verts for verts, _ in outlines]),
            np.concatenate([codes for _, codes in outlines]),
        )
        for look, outlines in parts.items()
    }


def placed(
    font: Font, x: float, y: float, text: str
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The outline of a text at its place on the page: points and path codes."""
    verts, codes = _glyphs(text, font.size, font.mono, font.bold)
    return verts + np.array((font.span(x, text)[0], y + font.size * DIGIT_HEIGHT / 2)), codes


@lru_cache(maxsize=4096)
def _glyphs(
    text: str, size: float, mono: bool, bold: bool
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The outline of a text at the origin, upside down as the page is."""
    font = FontProperties(
        family="DejaVu Sans Mono" if mono else "DejaVu Sans", weight="bold" if bold else "normal"
    )
    # Not as mathematics: a name may hold a dollar sign.
    verts, codes = _to_path.get_text_path(font, text, ismath=False)
    points = np.array(verts, dtype=float).reshape(-1, 2) * (size / _to_path.FONT_SCALE)
    points[:, 1] *= -1
    room = text_width(text, size, mono=mono, bold=bold)
    if max(text, default="") >= WIDE and (width := points[:, 0].max(initial=0)) > room:
        # As SVG has it: as wide as it was laid out.
        points[:, 0] *= room / width
    return points, np.array(codes, dtype=np.uint8)
