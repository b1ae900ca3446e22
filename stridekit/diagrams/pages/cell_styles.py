"""Cells on the page, of grids, strips and the legend: how they look in each state."""

from functools import lru_cache
from math import ceil, floor

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import Box, Font, Page, PlacedCells, Run, cut, text_width
from stridekit.diagrams.pages.palette import Paint, halo_on, ink_on, look_of
from stridekit.diagrams.scenes.scene import Marks

VISIT = Font(10, mono=True, fitted=False)
PILL_HEIGHT = 13
# The side of a written cell's corner; what its rim takes besides, and the air to the value; and the
# least one that is seen.
WRITTEN, WRITTEN_AIR, WRITTEN_LEAST = 10, 5, 3
# How high a text stands over its middle, in parts of its size: brackets are the highest.
RISE = 0.4
# How thick the corners of a place are that something is missed at.
NEEDED_LINE = 2.5


@lru_cache(maxsize=512)
def style_of(group: int | None, marks: Marks, size: float) -> tuple[Paint, Font]:
    """How a cell of an address group looks in some states, and the value on it."""
    look = look_of(group, marks)
    ink, halo = ink_on(look), halo_on(look)
    return look, Font(size, "middle", mono=True, ink=ink, fitted=False, halo=halo)


def paint_cells(
    page: Page, placed: PlacedCells, down: float, corner: int = WRITTEN, most: int = 0
) -> None:
    """Cells, each with its text and what its marks add to it.

    The texts stand so far down from the cells' upper sides, and are cut to `most` characters,
    unless it is 0. The corner of a written cell has sides of `corner`; 0 for none.
    """
    page.places.append(placed)
    size = placed.font_size
    alike: dict[tuple[int | None, Marks], tuple[list[Box], list[Run], str]] = {}
    for cell, box in zip(placed.cells, placed.boxes, strict=True):
        marks = cell.marks
        if marks and not corner:
            marks = tuple(mark for mark in marks if mark != "written")
        state = cell.group, marks
        if state not in alike:
            look, font = style_of(*state, size)
            alike[state] = [], page.texts[font], look.fill
        boxes, runs, fill = alike[state]
        boxes.append(box)
        x, y, width, _ = box
        text = cut(cell.text, most) if most else cell.text
        runs.append((x + width / 2, y + down, text, fill))
    for (group, marks), (boxes, _, _) in alike.items():
        page.boxes[style_of(group, marks, size)[0]] += boxes
        for box in boxes if marks else ():
            paint_marks(page, marks, box, corner)


def paint_marks(page: Page, marks: Marks, box: Box, corner: int = WRITTEN) -> None:
    """What a state adds to a box: an outline, or a dark corner."""
    x, y, width, height = box
    if "selected" in marks:
        page.over[palette.SELECTED].append((x + 1, y + 1, width - 2, height - 2))
        page.over[palette.SELECTED_INSIDE].append((x + 3, y + 3, width - 6, height - 6))
    if "needed" in marks:
        _paint_needed(page, box)
    if "written" in marks:
        paint_written(page, x + width, y, corner)


def _paint_needed(page: Page, box: Box) -> None:
    """The four corners of a place, as a finder has them: a box would be one more slot."""
    x, y, width, height = box
    arm = min(width, height) * 0.32
    for colour, rim in ((palette.CORNER_RIM, 1), (palette.CORNER, 0)):
        for edge, right in ((x + 1, 1), (x + width - 1, -1)):
            for side, down in ((y + 1, 1), (y + height - 1, -1)):
                out_x, in_x = edge - rim * right, edge + (NEEDED_LINE + rim) * right
                out_y, in_y = side - rim * down, side + (NEEDED_LINE + rim) * down
                end_x, end_y = edge + (arm + rim) * right, side + (arm + rim) * down
                page.shapes[colour].append(
                    ((out_x, out_y), (end_x, out_y), (end_x, in_y),
                     (in_x, in_y), (in_x, end_y), (out_x, end_y))
                )  # fmt: skip


def written_side(longest: int, width: float, size: float, down: float) -> int:
    """The longest side of a written cell's corner that no value of so many characters touches.

    The value stands in the middle of a cell so wide, `down` from its upper side. All in pixels.
    More than WRITTEN where there is much room, and less than WRITTEN_LEAST where there is none.

    >>> written_side(1, 28, 12, 14), written_side(3, 28, 12, 14)
    (14, 7)
    """
    beside = (width - text_width("0" * longest, size, mono=True)) / 2
    return floor(beside + down - RISE * size - WRITTEN_AIR)


def paint_written(page: Page, right: float, top: float, side: int = WRITTEN) -> None:
    """The dark corner of a cell that a write has reached.

    It lies inside of the cell and has a light rim all round, so that it is seen on a dark fill and
    the cell is not cut off by it on a dark card.
    """
    right, top = right - 1, top + 1
    rim = ((right - side - 2, top), (right, top), (right, top + side + 2))
    page.shapes[palette.CORNER_RIM].append(rim)
    right, top = right - 1, top + 1
    page.shapes[palette.CORNER].append(
        ((right - side + 1, top), (right, top), (right, top + side - 1))
    )


def paint_visit(
    page: Page, left: float, y: float, visit: str, ink: str, *, switch: bool, fill: str = ""
) -> None:
    """A visit's number from `left` on, on a dark pill where the line changes.

    `fill` is that of the cell that it stands in; empty on the card.
    """
    if switch:
        width = ceil(text_width(visit, VISIT.size, mono=True)) + 6
        page.over[palette.PILL].append((left - 3, y - PILL_HEIGHT / 2, width, PILL_HEIGHT))
        ink, fill = palette.CARD, palette.PILL.fill
    page.texts[VISIT._replace(ink=ink)].append((left, y, visit, fill))
