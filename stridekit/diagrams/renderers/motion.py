"""Motion as a part of an SVG: it plays by itself wherever the picture stands, without a script.

The still picture is whole beneath. What moves is laid over it by style sheet rules, and is gone
at the end; where such rules are not known, where somebody asks for less motion, and on paper it
never shows. It plays once; in a picture that stands in the page itself, pressing plays it again.
"""

from collections.abc import Sequence
from html import escape

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.motion import WAY, Mover, PlacedCell
from stridekit.diagrams.pages.page import DIGIT_HEIGHT, Box
from stridekit.diagrams.pages.palette import Paint, Pen
from stridekit.diagrams.renderers.svg import coloured, drawn, fill_of
from stridekit.diagrams.renderers.themes import Theme, box_in, text_in

# A place that nothing has come to yet.
EMPTY = Paint(palette.CARD, stroke=palette.MUTED, dash="3 2")

# A slot is pointed at for so long while it is read, in seconds.
POINTED = 0.4

# `both` holds a cell at its start until it leaves, and at its end until all have come.
_STYLE = (
    "@keyframes stridekit-stage{from,to{opacity:1}}"
    "@keyframes stridekit-travel{from{transform:translate(var(--x),var(--y))}to{transform:none}}"
    ".stridekit .stage{opacity:0;animation:stridekit-stage %(whole)gs linear}"
    ".stridekit .travel{animation:stridekit-travel %(way)gs cubic-bezier(.45,0,.25,1) "
    "var(--d) both}"
    "%(reading)s"
    ".stridekit:active .stage,.stridekit:active .stage g{animation:none}"
    "@media print,(prefers-reduced-motion:reduce){.stridekit .stage{display:none}"
    ".stridekit .stage,.stridekit .stage g{animation:none}}"
)
_READING = (
    "@keyframes stridekit-read{from{opacity:0}to{opacity:1}}"
    "@keyframes stridekit-point{from,to{opacity:0}15%%,70%%{opacity:1}}"
    f".stridekit .read{{animation:stridekit-read {POINTED / 3:g}s linear var(--d) both}}"
    f".stridekit .point{{animation:stridekit-point {POINTED:g}s linear var(--d) both}}"
).replace("%%", "%")


def in_motion(svg: str, movers: Sequence[Mover], theme: Theme) -> str:
    """The SVG of a page with its movers over it."""
    if not movers:
        return svg
    whole = max(mover.delay for mover in movers) + WAY + 0.1
    reading = _READING if any(mover.read for mover in movers) else ""
    style = _STYLE % {"whole": round(whole, 2), "way": WAY, "reading": reading}
    covers = "".join(_cover(mover, theme) for mover in movers)
    # The last one to leave lies lowest, so that none is hidden before it goes.
    cells = "".join(_travelling(mover, theme) for mover in reversed(movers))
    stage = (
        f'<style>{style}</style>\n<g class="stage m" opacity="0" aria-hidden="true" '
        f'text-anchor="middle" pointer-events="none">{covers}{cells}</g>\n</svg>'
    )
    return svg.removesuffix("</svg>") + stage


def _cover(mover: Mover, theme: Theme) -> str:
    """What a place shows before its cell has come: what it held, or that it is empty."""
    if mover.old is None:
        return _box(mover.cell.box, EMPTY, theme)
    return _cell(mover.cell._replace(text=mover.old), theme)


def _travelling(mover: Mover, theme: Theme) -> str:
    if mover.read:
        delay = f'style="--d:{mover.delay:.3g}s"'
        x, y, width, height = mover.read
        outline = _box((x + 1, y + 1, width - 2, height - 2), palette.SELECTED, theme)
        outline += _box((x + 3, y + 3, width - 6, height - 6), palette.SELECTED_INSIDE, theme)
        return (
            f'<g class="read" {delay}>{_cell(mover.cell, theme)}</g>'
            f'<g class="point" {delay}>{outline}</g>'
        )
    style = f"--x:{mover.dx:.4g}px;--y:{mover.dy:.4g}px;--d:{mover.delay:.3g}s"
    return f'<g class="travel" style="{style}">{_cell(mover.cell, theme)}</g>'


def _cell(cell: PlacedCell, theme: Theme) -> str:
    (x, y, width, height), look, font, text = cell
    foot = y + height / 2 + font.size * DIGIT_HEIGHT / 2
    ink = coloured(fill=text_in(theme, font.ink, look))
    return (
        f'{_box(cell.box, look, theme)}<text x="{x + width / 2:g}" y="{foot:.4g}" '
        f'font-size="{font.size:g}"{ink}>{escape(text, quote=False)}</text>'
    )


def _box(box: Box, look: Paint, theme: Theme) -> str:
    x, y, width, height = box
    look = box_in(theme, look)
    colours = drawn(fill_of(look), Pen(look.stroke, look.weight, look.dash))
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{colours}/>'
