"""Cells on the page, of grids, strips and the legend: how they look in each state."""

from functools import lru_cache
from math import ceil
from operator import attrgetter

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import Paint, ink_on, look_of
from stridekit.diagrams.pages.page import Box, Font, Page, PlacedCells, Run
from stridekit.diagrams.scenes.captions import cut
from stridekit.diagrams.scenes.scene import Marks

VISIT = Font(10, mono=True, fitted=False)
PILL_HEIGHT = 13
# The bar under a written value: how thick it is, what is left free on its sides, and how far below
# the middle of the digits it begins, in parts of their size.
WRITTEN, WRITTEN_AIR, WRITTEN_DOWN = 3, 4, 0.62
# How thick the corners of a place are that something is missed at.
NEEDED_LINE = 2.5


STATE = attrgetter("group", "marks")


@lru_cache(maxsize=512)
def style_of(group: int | None, marks: Marks, size: float) -> tuple[Paint, Font]:
    """How a cell of an address group looks in some states, and the value on it."""
    look = look_of(group, marks)
    # A rim around text on a hatch; none on a plain box.
    halo = look.fill if look.hatch else ""
    return look, Font(size, "middle", mono=True, ink=ink_on(look), fitted=False, halo=halo)


def paint_cells(page: Page, placed: PlacedCells, down: float, most: int = 0) -> None:
    """Cells, each with its text and what its marks add to it.

    The texts stand so far down from the cells' upper sides, and are cut to `most` characters,
    unless it is 0.
    """
    page.places.append(placed)
    size = placed.font_size
    alike: dict[tuple[int | None, Marks], tuple[list[Box], list[Run], str]] = {}
    for cell, box in zip(placed.cells, placed.boxes, strict=True):
        state = cell.group, cell.marks
        if state not in alike:
            look, font = style_of(*state, size)
            alike[state] = [], page.texts[font], look.fill
        boxes, runs, fill = alike[state]
        boxes.append(box)
        x, y, width, _ = box
        runs.append((x + width / 2, y + down, cut(cell.text, most) if most else cell.text, fill))
    for (group, marks), (boxes, _, _) in alike.items():
        page.boxes[style_of(group, marks, size)[0]] += boxes
        for box in boxes if marks else ():
            paint_marks(page, marks, box, down + WRITTEN_DOWN * size)


def paint_marks(page: Page, marks: Marks, box: Box, foot: float) -> None:
    """What a state adds to a box: an outline, corners, or a bar so far below its upper side."""
    x, y, width, height = box
    if "selected" in marks:
        page.over[colours.SELECTED].append((x + 1, y + 1, width - 2, height - 2))
        page.over[colours.SELECTED_INSIDE].append((x + 3, y + 3, width - 6, height - 6))
    if "needed" in marks:
        _paint_needed(page, box)
    if "written" in marks:
        for colour, rim in ((colours.CORNER_RIM, 1), (colours.CORNER, 0)):
            left, right = x + WRITTEN_AIR - rim, x + width - WRITTEN_AIR + rim
            page.bar(colour, left, y + foot - rim, right, y + foot + WRITTEN + rim)


def _paint_needed(page: Page, box: Box) -> None:
    """The four corners of a place, as a finder has them: a box would be one more slot."""
    x, y, width, height = box
    arm = min(width, height) * 0.32
    for colour, rim in ((colours.CORNER_RIM, 1), (colours.CORNER, 0)):
        for edge, right in ((x + 1, 1), (x + width - 1, -1)):
            for side, down in ((y + 1, 1), (y + height - 1, -1)):
                out_x, in_x = edge - rim * right, edge + (NEEDED_LINE + rim) * right
                out_y, in_y = side - rim * down, side + (NEEDED_LINE + rim) * down
                end_x, end_y = edge + (arm + rim) * right, side + (arm + rim) * down
                page.shapes[colour].append(
                    ((out_x, out_y), (end_x, out_y), (end_x, in_y),
                     (in_x, in_y), (in_x, end_y), (out_x, end_y))
                )  # fmt: skip


def paint_visit(
    page: Page, left: float, y: float, visit: str, ink: str, *, switch: bool, fill: str = ""
) -> None:
    """A visit's number from `left` on, on a dark pill where the line changes.

    `fill` is that of the cell that it stands in; empty on the card.
    """
    if switch:
        width = ceil(VISIT.width(visit)) + 6
        page.over[colours.PILL].append((left - 3, y - PILL_HEIGHT / 2, width, PILL_HEIGHT))
        ink, fill = colours.CARD, colours.PILL.fill
    page.texts[VISIT._replace(ink=ink)].append((left, y, visit, fill))
