"""Motion as a part of an SVG: it plays by itself wherever the picture stands, without a script.

The still picture is whole beneath. What moves is laid over it by style sheet rules, and is gone
at the end; where such rules are not known, where somebody asks for less motion, and on paper it
never shows. It plays once; in a picture that stands in the page itself, pressing plays it again.
"""

from collections.abc import Sequence
from html import escape

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.motion import WAY, Mover, PlacedCell
from stridekit.diagrams.pages.page import DIGIT_HEIGHT
from stridekit.diagrams.renderers.svg import fill_of

# `both` holds a cell at its start until it leaves, and at its end until all have come.
_STYLE = (
    "@keyframes stridekit-stage{from,to{opacity:1}}"
    "@keyframes stridekit-travel{from{transform:translate(var(--x),var(--y))}to{transform:none}}"
    ".stridekit .stage{opacity:0;animation:stridekit-stage %(whole)gs linear}"
    ".stridekit .travel{animation:stridekit-travel %(way)gs cubic-bezier(.45,0,.25,1) "
    "var(--d) both}"
    ".stridekit:active .stage,.stridekit:active .travel{animation:none}"
    "@media (prefers-reduced-motion:reduce){.stridekit .stage{display:none}}"
    "@media print{.stridekit .stage{display:none}}"
)


def in_motion(svg: str, movers: Sequence[Mover]) -> str:
    """The SVG of a page with its movers over it."""
    if not movers:
        return svg
    whole = max(mover.delay for mover in movers) + WAY + 0.1
    style = _STYLE % {"whole": round(whole, 2), "way": WAY}
    covers = "".join(_cover(mover) for mover in movers)
    # The last one to leave lies lowest, so that none is hidden before it goes.
    cells = "".join(_travelling(mover) for mover in reversed(movers))
    stage = (
        f'<style>{style}</style>\n<g class="stage m" opacity="0" aria-hidden="true" '
        f'text-anchor="middle" pointer-events="none">{covers}{cells}</g>\n</svg>'
    )
    return svg.removesuffix("</svg>") + stage


def _cover(mover: Mover) -> str:
    """What a place shows before its cell has come: what it held, or that it is empty."""
    if mover.old is not None:
        return _cell(mover.cell._replace(text=mover.old))
    x, y, width, height = mover.cell.box
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
        f'fill="{palette.CARD}" stroke="{palette.MUTED}" stroke-dasharray="3 2"/>'
    )


def _travelling(mover: Mover) -> str:
    style = f"--x:{mover.dx:.4g}px;--y:{mover.dy:.4g}px;--d:{mover.delay:.3g}s"
    return f'<g class="travel" style="{style}">{_cell(mover.cell)}</g>'


def _cell(cell: PlacedCell) -> str:
    (x, y, width, height), look, font, text, down = cell
    foot = y + down + font.size * DIGIT_HEIGHT / 2
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill_of(look)}" '
        f'stroke="{look.stroke}"{dash}/><text x="{x + width / 2:g}" y="{foot:.4g}" '
        f'font-size="{font.size:g}" fill="{font.ink}">{escape(text, quote=False)}</text>'
    )
