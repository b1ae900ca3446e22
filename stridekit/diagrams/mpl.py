"""A sheet painted with matplotlib, by its objects only: pyplot's state is the learner's.

All cells of one look are one collection, and all texts of one colour one path, whose glyphs
are kept from figure to figure. That is several times faster than an artist per cell.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from stridekit.diagrams import palette
from stridekit.diagrams.sheet import DIGIT_HEIGHT, Sheet, Text, width_of

PIXELS_PER_INCH = 96
_INKS = {"ink": palette.INK, "muted": palette.MUTED}


def to_figure(sheet: Sheet) -> Figure:
    """A new figure, as large as the sheet."""
    figure = Figure(
        figsize=(sheet.width / PIXELS_PER_INCH, sheet.height / PIXELS_PER_INCH),
        dpi=PIXELS_PER_INCH,
        facecolor=palette.CARD,
    )
    paint(sheet, figure.add_axes((0, 0, 1, 1)))
    return figure


def paint(sheet: Sheet, ax: Axes) -> None:
    """Paint the sheet on axes of any size: it is scaled, never stretched."""
    ax.set_xlim(0, sheet.width)
    ax.set_ylim(sheet.height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    looks: dict[tuple[str, bool], list[Any]] = defaultdict(list)
    for box in sheet.boxes:
        x0, y0, x1, y1 = box.x, box.y, box.x + box.width, box.y + box.height
        look = palette.fill(box.group), palette.is_hatched(box.group)
        looks[look].append(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    for (fill, hatched), corners in looks.items():
        collection = PolyCollection(
            corners, facecolors=fill, edgecolors=palette.STROKE, linewidths=0.8
        )
        if hatched:
            collection.set_hatch("////")
            collection.set_hatchcolor(palette.hatch(fill))
            collection.set_hatch_linewidth(0.6)
        ax.add_collection(collection, autolim=False)
    for dashed in (False, True):
        lines = [line.points for line in sheet.lines if line.dashed is dashed]
        if lines:
            style = "dashed" if dashed else "solid"
            ax.add_collection(
                LineCollection(lines, colors=palette.STROKE, linewidths=0.8, linestyles=style),
                autolim=False,
            )
    inks: dict[str, list[Path]] = defaultdict(list)
    for text in sheet.texts:
        ink = palette.text_on(text.group) if text.ink == "on fill" else _INKS[text.ink]
        inks[ink].append(_placed(text))
    for ink, paths in inks.items():
        path = Path.make_compound_path(*paths)
        # add_patch would measure every glyph, to set limits that are set already.
        ax.add_artist(PathPatch(path, facecolor=ink, edgecolor="none"))


def _placed(text: Text) -> Path:
    glyphs = _glyphs(text.text, text.size, text.mono, text.bold)
    left = text.x - width_of(text) * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    baseline = text.y + text.size * DIGIT_HEIGHT / 2
    return Affine2D().scale(1, -1).translate(left, baseline).transform_path(glyphs)


@lru_cache(maxsize=4096)
def _glyphs(text: str, size: float, mono: bool, bold: bool) -> Path:
    """The outline of a text at the origin."""
    font = FontProperties(
        family="DejaVu Sans Mono" if mono else "DejaVu Sans", weight="bold" if bold else "normal"
    )
    return TextPath((0, 0), text, size=size, prop=font)
