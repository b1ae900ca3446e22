"""Motion on a page: what moves from where to where, and when.

Cells come to the page in the order of the scene, so a spot in the scene is found by counting.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stridekit.diagrams.pages.page import Box, CellRun, Font, Page
from stridekit.diagrams.pages.palette import Paint
from stridekit.diagrams.scenes.scene import Scene, Section, Slot
from stridekit.diagrams.scenes.travels import TRAVELS_MOST, Spot, travels_of

# In seconds: before anything moves, one way, and between the first start and the last.
WAIT, WAY, STAGGER, BETWEEN = 0.7, 0.9, 2.4, 0.15


class PlacedCell(NamedTuple):
    """A cell on the page: its box, its look, and its text, so far down in the box."""

    box: Box
    look: Paint
    font: Font
    text: str
    down: float


class Mover(NamedTuple):
    """A cell that comes to its place from another one, beginning after so many seconds.

    `old` is what its place shows until then; None for an empty one.
    """

    cell: PlacedCell
    dx: float
    dy: float
    delay: float
    old: str | None


def movers_of(scene: Scene, page: Page) -> list[Mover]:
    """What moves on the page of a scene, at most TRAVELS_MOST cells."""
    travels = travels_of(scene)[:TRAVELS_MOST]
    if not travels:
        return []
    places = _places_of(scene, page)
    # What leaves from one place leaves at once: a value spreads to all that show it.
    turns = {start: turn for turn, start in enumerate(dict.fromkeys(way.start for way in travels))}
    between = min(BETWEEN, STAGGER / len(turns))
    movers = []
    for start, end, old in travels:
        source, cell = places[start], places[end]
        dx, dy = _middle(source)[0] - _middle(cell)[0], _middle(source)[1] - _middle(cell)[1]
        movers.append(Mover(cell, dx, dy, WAIT + between * turns[start], old))
    return movers


def _middle(cell: PlacedCell) -> tuple[float, float]:
    x, y, width, height = cell.box
    return x + width / 2, y + height / 2


def _places_of(scene: Scene, page: Page) -> dict[Spot, PlacedCell]:
    cells = (cell for run in page.cells for cell in _cells_of(run))
    return {
        spot: cell for spot, cell in zip(_spots_of(scene), cells, strict=True) if spot is not None
    }


def _cells_of(run: CellRun) -> Iterator[PlacedCell]:
    for x, y, text in zip(run.xs, run.ys, run.texts, strict=True):
        yield PlacedCell((x, y, *run.size), run.look, run.font, text, run.down)


def _spots_of(scene: Scene) -> Iterator[Spot | None]:
    """The spots in the order in which they are painted; None for what never moves."""
    for number, section in enumerate(scene.sections):
        grids = [
            Spot(number, place, cell)
            for place, grid in enumerate(section.grids)
            for cell in range(len(grid.cells))
        ]
        slots = _slots_of(section, number)
        yield from (*slots, *grids) if section.strip_first else (*grids, *slots)


def _slots_of(section: Section, number: int) -> list[Spot | None]:
    counts = [sum(isinstance(item, Slot) for item in strip.slots) for strip in section.strips]
    if len(counts) > 1:
        # Strips that share their rows come in turns, and do not move.
        return [None] * sum(counts)
    return [Spot(number, None, slot) for slot in range(counts[0])]
