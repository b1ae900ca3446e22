"""The outline of a tensor in the grid of another one that it is a part of."""

from collections.abc import Sequence

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.grid_labels import Axis
from stridekit.diagrams.pages.page import Page
from stridekit.diagrams.pages.palette import LANES, NO_FILL, Paint
from stridekit.diagrams.scenes.scene import Cell, Grid, Outline

# How far inside of its cells a frame lies, and one that meets another one.
FRAME, INNER_FRAME = 2, 5


def insets_of(grid: Grid) -> dict[Outline, int]:
    """How far inside of its cells each frame lies, so that no two of them share an edge."""
    insets: dict[Outline, int] = {}
    for outline in grid.outlines:
        met = {inset for other, inset in insets.items() if other.addresses & outline.addresses}
        insets[outline] = INNER_FRAME if FRAME in met else FRAME
    return insets


def paint_outline(
    page: Page,
    outlined: tuple[Grid, Outline],
    axes: tuple[Axis, Axis],
    corners: Sequence[tuple[int, int]],
    inset: int,
) -> None:
    """A frame around the cells that another tensor reaches, in as few rectangles as there are.

    The axes are the rows and the columns of each block; the corners where the blocks begin.
    """
    grid, outline = outlined
    rows, columns = axes
    pen = LANES[outline.lane % len(LANES)]
    # With a light rim, to be seen on dark fills.
    casing = Paint(NO_FILL, stroke=palette.CARD, weight=pen.weight + 2)
    line = Paint(NO_FILL, stroke=pen.colour, weight=pen.weight, dash=pen.dash)
    cells = [cell for cell in grid.cells if cell.address in outline.addresses]
    for block, r0, r1, c0, c1 in _rectangles(cells, rows, columns):
        x, y = corners[block][0] + columns.at[c0] + inset, corners[block][1] + rows.at[r0] + inset
        width = columns.at[c1] + columns.size - columns.at[c0] - 2 * inset
        height = rows.at[r1] + rows.size - rows.at[r0] - 2 * inset
        page.over[casing].add(x, y, width, height)
        page.over[line].add(x, y, width, height)


def _rectangles(
    cells: list[Cell], rows: Axis, columns: Axis
) -> list[tuple[int, int, int, int, int]]:
    """Cells as rectangles: block, first and last row, first and last column."""
    runs: dict[tuple[int, int], list[list[int]]] = {}
    for cell in cells:
        mine = runs.setdefault((cell.block, cell.row), [])
        if mine and mine[-1][1] == cell.column - 1 and _touch(columns, cell.column):
            mine[-1][1] = cell.column
        else:
            mine.append([cell.column, cell.column])
    found: list[tuple[int, int, int, int, int]] = []
    for (block, row), mine in runs.items():
        for c0, c1 in mine:
            above = (block, row - 1, c0, c1)
            for number, (b, r0, r1, *span) in enumerate(found):
                if (b, r1, *span) == above and _touch(rows, row):
                    found[number] = b, r0, row, c0, c1
                    break
            else:
                found.append((block, row, row, c0, c1))
    return found


def _touch(axis: Axis, number: int) -> bool:
    """Whether a track follows the one before it without a gap."""
    return axis.at[number] - axis.at[number - 1] == axis.size
