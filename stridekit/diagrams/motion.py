"""Motion: a diagram of a change whose elements travel to where they come to lie.

Which elements travel follows from the scene, when and where from the page:

- A copy: elements go from the old strip to the new one.
- A write: new values spread from the strip to every grid that shows them.
- Another header, also over a storage that has grown: nothing travels, for memory stays. The new
  grid's cells are read one after another, each from its slot.

The still picture is whole beneath. What moves is laid over it by style sheet rules, and is gone
at the end; where such rules are not known, where somebody asks for less motion, and on paper it
never shows. It plays once; in a picture that stands in the page itself, pressing plays it again.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.cell_styles import style_of
from stridekit.diagrams.pages.colours import Paint
from stridekit.diagrams.pages.page import DIGIT_HEIGHT, WIDEST, Box, Font, Page
from stridekit.diagrams.renderers.svg import coloured, drawn
from stridekit.diagrams.renderers.themes import Theme, ink_in, paint_in
from stridekit.diagrams.scenes.scene import Cell, Change, Grid, Scene, Section, Slot
from stridekit.layouts.layout import Layout

TRAVELS_MOST = 200
# Changes after which elements lie where they lay.
READ_ANEW: tuple[Change, ...] = ("header", "resize")
# In seconds: before anything moves, one way, and between the first start and the last.
WAIT, WAY, STAGGER, BETWEEN = 0.7, 0.9, 2.4, 0.15
# A slot is pointed at for so long while it is read, in seconds.
POINTED = 0.4
# A place that nothing has come to yet.
EMPTY = Paint(colours.CARD, stroke=colours.MUTED, dash="3 2")


class Travel(NamedTuple):
    """An element's way. `old` is what stands at its end until it comes; None for nothing.

    Where it is read anew, it appears at its end while its start is pointed at.
    """

    start: Slot
    end: Cell | Slot
    old: str | None = None


def travels_of(scene: Scene) -> list[Travel]:
    """All ways there are in a scene of a change, in reading order; none in other scenes."""
    if scene.change in READ_ANEW:
        return [*_by_reading(scene)]
    if scene.change == "copy":
        return [*_by_copy(*scene.sections)]
    return [*_by_write(scene)] if scene.change else []


def _by_reading(scene: Scene) -> Iterator[Travel]:
    """The last grid's cells in reading order, from the slots of the strip that they stand over."""
    section = scene.sections[-1]
    slots = _slots_at(section)
    for cell in section.grids[-1].cells:
        if cell.address in slots:
            yield Travel(slots[cell.address], cell)


def _by_copy(before: Section, after: Section) -> Iterator[Travel]:
    """From strip to strip: an element of one index, or of one place in reading order."""
    sources, targets = _slots_at(before), _slots_at(after)
    address_of = {place: cell.address for place, cell in _in_order(before.grids[0])}
    for place, cell in _in_order(after.grids[0]):
        source = address_of.get(place)
        if source in sources and cell.address in targets:
            yield Travel(sources[source], targets.pop(cell.address))


def _in_order(grid: Grid) -> Iterator[tuple[int, Cell]]:
    """The cells of a grid with their places in reading order."""
    size = tuple(label.size for label in sorted(grid.dims))
    for cell in grid.cells:
        yield Layout.of(size).position(cell.index), cell


def _by_write(scene: Scene) -> Iterator[Travel]:
    """From the strip to all cells of what was written, where the same tensors stand before."""
    half = len(scene.sections) // 2
    for before, after in zip(scene.sections, scene.sections[half:], strict=False):
        slots = _slots_at(after)
        for number, grid in enumerate(after.grids):
            old = before.grids[number].cells if number < len(before.grids) else ()
            texts = {cell.index: cell.text for cell in old}
            for cell in grid.cells:
                if "written" in cell.marks and cell.address in slots:
                    yield Travel(slots[cell.address], cell, texts.get(cell.index))


def _slots_at(section: Section) -> dict[int, Slot]:
    """By address the slots of the first strip; none where it shares its rows with another."""
    slots = section.strips[0].slots if len(section.strips) == 1 else ()
    return {slot.address: slot for slot in slots}


class Mover(NamedTuple):
    """A cell on the page that comes to its box from a slot's, beginning after so many seconds.

    `old` is what its box shows until then; None for an empty one. One that is `read` stays where it
    is, and appears while the slot is pointed at.
    """

    box: Box
    look: Paint
    font: Font
    text: str
    start: Box
    delay: float
    old: str | None
    read: bool


def movers_of(scene: Scene, page: Page) -> list[Mover]:
    """What moves on the page of a scene, at most TRAVELS_MOST cells."""
    travels, reads = travels_of(scene)[:TRAVELS_MOST], scene.change in READ_ANEW
    # Each by its identity: two may say the same.
    places = {
        id(cell): (box, *style_of(cell.group, cell.marks, placed.font_size), cell.text)
        for placed in page.places if travels
        for cell, box in zip(placed.cells, placed.boxes, strict=True)
    }  # fmt: skip
    turns = [*range(len(travels))]
    if not reads:
        # What leaves from one place leaves at once: a value spreads to all that show it.
        starts = [*dict.fromkeys(id(way.start) for way in travels)]
        turn_of = {start: turn for turn, start in enumerate(starts)}
        turns = [turn_of[id(way.start)] for way in travels]
    between = min(BETWEEN, STAGGER / (max(turns, default=0) + 1))
    return [
        Mover(*places[id(end)], places[id(start)][0], WAIT + between * turn, old, reads)
        for (start, end, old), turn in zip(travels, turns, strict=True)
    ]


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
    "@keyframes stridekit-point{from,to{opacity:0}15%,70%{opacity:1}}"
    f".stridekit .read{{animation:stridekit-read {POINTED / 3:g}s linear var(--d) both}}"
    f".stridekit .point{{animation:stridekit-point {POINTED:g}s linear var(--d) both}}"
)


def in_motion(svg: str, movers: Sequence[Mover], theme: Theme) -> str:
    """The SVG of a page with its movers over it."""
    if not movers:
        return svg
    whole = max(mover.delay for mover in movers) + WAY + 0.1
    reading = _READING if any(mover.read for mover in movers) else ""
    style = _STYLE % {"whole": round(whole, 2), "way": WAY, "reading": reading}
    # What a place shows before its cell has come: what it held, or that it is empty.
    covers = "".join(
        _box(each.box, EMPTY, theme) if each.old is None else _cell(each, each.old, theme)
        for each in movers
    )
    # The last one to leave lies lowest, so that none is hidden before it goes.
    cells = "".join(_travelling(mover, theme) for mover in reversed(movers))
    stage = (
        f'<style>{style}</style>\n<g class="stage m" opacity="0" aria-hidden="true" '
        f'text-anchor="middle" pointer-events="none">{covers}{cells}</g>\n</svg>'
    )
    return svg.removesuffix("</svg>") + stage


def _travelling(mover: Mover, theme: Theme) -> str:
    cell, delay = _cell(mover, mover.text, theme), f"--d:{mover.delay:.3g}s"
    x, y, width, height = mover.start
    if mover.read:
        outline = _box((x + 1, y + 1, width - 2, height - 2), colours.SELECTED, theme)
        outline += _box((x + 3, y + 3, width - 6, height - 6), colours.SELECTED_INSIDE, theme)
        return (
            f'<g class="read" style="{delay}">{cell}</g>'
            f'<g class="point" style="{delay}">{outline}</g>'
        )
    left, top, own_width, own_height = mover.box
    dx, dy = x + width / 2 - (left + own_width / 2), y + height / 2 - (top + own_height / 2)
    return f'<g class="travel" style="--x:{dx:.4g}px;--y:{dy:.4g}px;{delay}">{cell}</g>'


def _cell(mover: Mover, text: str, theme: Theme) -> str:
    """A mover's box with a text."""
    (x, y, width, height), look, font = mover[:3]
    foot = y + height / 2 + font.size * DIGIT_HEIGHT / 2
    ink = coloured(fill=ink_in(theme, font.ink, look.fill))
    return (
        f'{_box(mover.box, look, theme)}<text x="{x + width / 2:g}" y="{foot:.4g}" '
        f'font-size="{font.size:g}"{ink}>{escape(text, quote=False)}</text>'
    )


def _box(box: Box, look: Paint, theme: Theme) -> str:
    x, y, width, height = box
    painted = drawn(paint_in(theme, look))
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{painted}/>'


class MovingDiagram(Diagram):
    """A diagram whose SVG moves, once; figure, files other than SVG, and text show the end.

    >>> t = sk.arange(6).view(2, 3).t()
    >>> moving = sk.draw_change(t, lambda t: t.contiguous(), motion=True)
    >>> moving.svg().count('class="travel"')
    6
    """

    def __init__(self, scene: Scene) -> None:
        number = len(travels_of(scene))
        if number > TRAVELS_MOST:
            note = f"In motion: the first {TRAVELS_MOST} of {number:,} elements shown."
            scene = scene.noted(note, last=True)
        super().__init__(scene)

    def svg(self, theme: Theme = "light", *, width: int = WIDEST) -> str:
        """The diagram as SVG that plays by itself, and is whole without. Raises as a Diagram's."""
        movers = movers_of(self.scene, self._page_in(width))
        return in_motion(super().svg(theme, width=width), movers, theme)
