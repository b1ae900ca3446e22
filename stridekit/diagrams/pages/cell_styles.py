"""Cells on the page, of grids, strips and the legend: how they look in each state."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from math import ceil

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.metrics import text_width
from stridekit.diagrams.pages.page import Box, Font, Page
from stridekit.diagrams.pages.palette import Paint, halo_on, ink_on, paint
from stridekit.diagrams.scenes.scene import Marks

VISIT = Font(10, mono=True, fitted=False)
PILL_HEIGHT = 13
# The sides of a written cell's corner, and of one inside of two frames.
WRITTEN, WRITTEN_SMALL = 10, 6


def look_of(group: int | None, marks: Marks) -> Paint:
    """How a cell of an address group looks in some states."""
    if "needed" in marks and "outside" in marks:
        return palette.EMPTY
    return paint(
        group,
        ghost="ghost" in marks,
        unwritten="unwritten" in marks,
        outside="outside" in marks,
    )


@lru_cache(maxsize=512)
def style_of(group: int | None, marks: Marks, size: float) -> tuple[Paint, Font]:
    """How a cell of an address group looks in some states, and the value on it."""
    look = look_of(group, marks)
    ink, halo = ink_on(look), halo_on(look)
    return look, Font(size, "middle", mono=True, ink=ink, fitted=False, halo=halo)


def paint_cells(
    page: Page,
    state: tuple[int | None, Marks],
    corners: tuple[Sequence[int], Sequence[int]],
    size: tuple[int, int],
    texts: Sequence[str],
    font_size: float,
    down: float,
) -> None:
    """Cells of one group in one state: where their corners are, how large they are, what they say.

    The texts stand so far down from the cells' upper sides. All at once, as pictures have many
    cells of few kinds.
    """
    xs, ys = corners
    width, height = size
    look, font = style_of(*state, font_size)
    boxes, runs, half = page.boxes[look], page.texts[font], width / 2
    boxes.xs += xs
    boxes.ys += ys
    boxes.widths += repeat(width, len(xs))
    boxes.heights += repeat(height, len(xs))
    runs.xs += [x + half for x in xs]
    runs.ys += [y + down for y in ys]
    runs.texts += texts
    if state[1]:
        for x, y in zip(xs, ys, strict=True):
            paint_marks(page, state[1], (x, y, width, height))


def paint_marks(page: Page, marks: Marks, box: Box) -> None:
    """What a state adds to a box: an outline, or a dark corner."""
    x, y, width, height = box
    if "selected" in marks:
        page.over[palette.SELECTED].add(x + 1, y + 1, width - 2, height - 2)
        page.over[palette.SELECTED_INSIDE].add(x + 3, y + 3, width - 6, height - 6)
    if "needed" in marks:
        page.over[palette.NEEDED].add(x + 1, y + 1, width - 2, height - 2)
    if "written" in marks:
        paint_written(page, x + width, y)


def paint_written(page: Page, right: float, top: float, side: int = WRITTEN) -> None:
    """The dark corner of a cell that a write has reached, with a light edge for dark fills."""
    left, low = (right - side, top), (right, top + side)
    page.shapes[palette.INK].append((left, (right, top), low))
    edge = ((right - side - 2, top), left, low, (right, top + side + 2))
    page.shapes[palette.CARD].append(edge)


@lru_cache(maxsize=64)
def _visit_in(ink: str) -> Font:
    return VISIT._replace(ink=ink)


@lru_cache(maxsize=512)
def _pill_width(visit: str) -> int:
    return ceil(text_width(visit, VISIT.size, mono=True)) + 6


def paint_visit(page: Page, left: float, y: float, visit: str, ink: str, *, switch: bool) -> None:
    """A visit's number from `left` on, on a dark pill where the line changes."""
    if switch:
        pill = page.over[palette.PILL]
        pill.add(left - 3, y - PILL_HEIGHT / 2, _pill_width(visit), PILL_HEIGHT)
        ink = palette.CARD
    page.texts[_visit_in(ink)].add(left, y, visit)
