"""Cells on the page, of grids, strips and the legend: how they look in each state."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from math import ceil, floor

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import Box, Font, Page, text_width
from stridekit.diagrams.pages.palette import Paint, halo_on, ink_on, paint
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
    states: Sequence[tuple[int | None, Marks]],
    corners: tuple[Sequence[int], Sequence[int]],
    size: tuple[int, int],
    texts: Sequence[str],
    font_size: float,
    down: float,
    corner: int = WRITTEN,
) -> None:
    """Cells: the group and state of each, where their corners are, how large they are, their texts.

    The texts stand so far down from the cells' upper sides; the corner of a written cell has sides
    of `corner`. All at once, as pictures have many cells of few kinds.
    """
    xs, ys = corners
    width, height = size
    half = width / 2
    alike: dict[tuple[int | None, Marks], list[int]] = {}
    for number, state in enumerate(states):
        alike.setdefault(state, []).append(number)
    fills: dict[tuple[int | None, Marks], str] = {}
    numbers_in: dict[Font, list[int]] = {}
    for state, numbers in alike.items():
        look, font = style_of(*state, font_size)
        fills[state] = look.fill
        numbers_in.setdefault(font, []).extend(numbers)
        boxes = page.boxes[look]
        boxes.xs += [xs[n] for n in numbers]
        boxes.ys += [ys[n] for n in numbers]
        boxes.widths += repeat(width, len(numbers))
        boxes.heights += repeat(height, len(numbers))
        if state[1]:
            for n in numbers:
                paint_marks(page, state[1], (xs[n], ys[n], width, height), corner)
    for font, numbers in numbers_in.items():
        # As they stand in a line, and not one fill after another.
        numbers.sort()
        runs = page.texts[font]
        runs.xs += [xs[n] + half for n in numbers]
        runs.ys += [ys[n] + down for n in numbers]
        runs.texts += [texts[n] for n in numbers]
        runs.fills += [fills[states[n]] for n in numbers]


def paint_marks(page: Page, marks: Marks, box: Box, corner: int = WRITTEN) -> None:
    """What a state adds to a box: an outline, or a dark corner."""
    x, y, width, height = box
    if "selected" in marks:
        page.over[palette.SELECTED].add(x + 1, y + 1, width - 2, height - 2)
        page.over[palette.SELECTED_INSIDE].add(x + 3, y + 3, width - 6, height - 6)
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


@lru_cache(maxsize=64)
def _visit_in(ink: str) -> Font:
    return VISIT._replace(ink=ink)


@lru_cache(maxsize=512)
def _pill_width(visit: str) -> int:
    return ceil(text_width(visit, VISIT.size, mono=True)) + 6


def paint_visit(
    page: Page, left: float, y: float, visit: str, ink: str, *, switch: bool, fill: str = ""
) -> None:
    """A visit's number from `left` on, on a dark pill where the line changes.

    `fill` is that of the cell that it stands in; empty on the card.
    """
    if switch:
        pill = page.over[palette.PILL]
        pill.add(left - 3, y - PILL_HEIGHT / 2, _pill_width(visit), PILL_HEIGHT)
        ink = palette.CARD
    runs = page.texts[_visit_in(ink)]
    runs.add(left, y, visit)
    runs.fills.append(palette.PILL.fill if switch else fill)
