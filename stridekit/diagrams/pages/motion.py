"""Motion on a page: what moves from where to where, and when."""

from collections.abc import Sequence
from typing import NamedTuple

from stridekit.diagrams.pages.cell_styles import style_of
from stridekit.diagrams.pages.grids import STYLES
from stridekit.diagrams.pages.page import Box, Font, Page
from stridekit.diagrams.pages.palette import Paint
from stridekit.diagrams.pages.strip_rows import VALUE
from stridekit.diagrams.scenes.scene import Cell, Grid, Scene, Slot, Strip
from stridekit.diagrams.scenes.travels import READ_ANEW, TRAVELS_MOST, Spot, travels_of

# In seconds: before anything moves, one way, and between the first start and the last.
WAIT, WAY, STAGGER, BETWEEN = 0.7, 0.9, 2.4, 0.15
# Of a grid's cells, by their height.
FONTS = {style.height: style.font for style in STYLES}


class PlacedCell(NamedTuple):
    """A cell on the page: its box, its look, and the text in its middle."""

    box: Box
    look: Paint
    font: Font
    text: str


class Mover(NamedTuple):
    """A cell that comes to its place from another one, beginning after so many seconds.

    `old` is what its place shows until then; None for an empty one. One that is `read` stays where
    it is, and appears; `read` is the box of the slot that is pointed at meanwhile.
    """

    cell: PlacedCell
    dx: float
    dy: float
    delay: float
    old: str | None
    read: Box | None = None


def movers_of(scene: Scene, page: Page) -> list[Mover]:
    """What moves on the page of a scene, at most TRAVELS_MOST cells."""
    travels = travels_of(scene)[:TRAVELS_MOST]
    if not travels:
        return []
    places = _places_of(scene, page)
    # What leaves from one place leaves at once: a value spreads to all that show it.
    turns = {start: turn for turn, start in enumerate(dict.fromkeys(way.start for way in travels))}
    between = min(BETWEEN, STAGGER / (len(travels) if scene.change in READ_ANEW else len(turns)))
    movers: list[Mover] = []
    for start, end, old in travels:
        source, cell = places[start], places[end]
        if scene.change in READ_ANEW:
            delay = WAIT + between * len(movers)
            movers.append(Mover(cell, 0, 0, delay, old, source.box))
            continue
        dx, dy = _middle(source)[0] - _middle(cell)[0], _middle(source)[1] - _middle(cell)[1]
        movers.append(Mover(cell, dx, dy, WAIT + between * turns[start], old))
    return movers


def _middle(cell: PlacedCell) -> tuple[float, float]:
    x, y, width, height = cell.box
    return x + width / 2, y + height / 2


def _places_of(scene: Scene, page: Page) -> dict[Spot, PlacedCell]:
    """Where each cell and slot stands: they come to the page in the order of the scene."""
    begun: dict[int, Spot] = {}
    for number, section in enumerate(scene.sections):
        begun |= {id(grid): Spot(number, place, 0) for place, grid in enumerate(section.grids)}
        begun |= {id(strip): Spot(number, None, 0) for strip in section.strips[:1]}
    found: dict[Spot, PlacedCell] = {}
    for owner, things, xs, ys, width, height in page.places:
        spot = begun.get(id(owner))
        if spot is None:
            continue
        size = _font_size(owner, height)
        cells: Sequence[Cell | Slot] = things
        for thing, x, y in zip(cells, xs, ys, strict=True):
            look, font = style_of(thing.group, thing.marks, size)
            found[spot] = PlacedCell((x, y, width, height), look, font, thing.text)
            spot = spot._replace(number=spot.number + 1)
        begun[id(owner)] = spot
    return found


def _font_size(owner: Grid | Strip, height: int) -> int:
    if isinstance(owner, Strip):
        return VALUE
    return FONTS[height]
