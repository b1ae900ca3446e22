"""Where a grid stands on the page: its cells, and what stands around them."""

from math import ceil
from typing import NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.cell_styles import (
    VISIT,
    paint_cells,
    paint_visit,
    style_of,
)
from stridekit.diagrams.pages.grid_frames import (
    LABEL,
    LABEL_MIDDLE,
    LINE_HEIGHT,
    Axis,
    Lines,
    insets_of,
    measure_across,
    measure_down,
    paint_across,
    paint_down,
    paint_outline,
    paint_ticks_down,
)
from stridekit.diagrams.pages.page import (
    CONTENT,
    LETTER_WIDTH,
    Box,
    Font,
    Page,
    PlacedCells,
    cut,
    fitted,
    paint_letter,
    wrapped,
)
from stridekit.diagrams.scenes.scene import Block, DimLabel, Grid, Way


class Style(NamedTuple):
    """How large cells are: their least size, their font, the air beside a text, and between dims.

    `label_stacked` has the labels of dims that run down in several lines, `label_short` only says
    which dims they are. Texts are cut to `most` characters, unless it is 0.
    """

    width: int
    height: int
    font: int
    air: int
    gap: int
    label_stacked: bool
    label_short: bool = False
    most: int = 0


# From roomy to small: a grid has the first that fits the page.
STYLES = (
    Style(36, 32, 13, 8, 10, label_stacked=False),
    Style(36, 32, 13, 8, 10, label_stacked=True),
    Style(28, 24, 11, 8, 10, label_stacked=False),
    Style(28, 24, 11, 8, 10, label_stacked=True),
    Style(24, 24, 11, 5, 8, label_stacked=True),
    Style(18, 22, 9, 4, 5, label_stacked=True),
    Style(17, 22, 9, 4, 4, label_stacked=True, label_short=True),
)
COMPACT = 2
# Cells whose texts are cut are no narrower.
NARROWEST = 13
# With a visit number in its corner a cell is larger; in a wide or a high grid smaller.
VISIT_WIDTH, VISIT_HEIGHT, VISIT_DOWN, VISIT_AIR = 46, 42, 13, 14
COMPACT_FROM_COLUMNS, COMPACT_FROM_ROWS = 21, 12
# What labels take, and the air between things.
HEADER_HEIGHT, BLOCK_LABEL = 24, 22
BLOCK_GAP, NAME_GAP = 20, 10
NOTHING_WIDTH = 110

NAME = Font(13, bold=True)
HEADER = Font(12, ink=palette.MUTED)
BLOCK = Font(12, mono=True, ink=palette.MUTED)
ELLIPSIS = Font(13, "middle", mono=True, ink=palette.MUTED, fitted=False)


class GridPlan:
    """A grid's measures in one style, before it has a place on the page. All in pixels.

    `top` is the room above the first block for header, labels and ticks, `left` the room before it
    for ticks and the label of an outer dim that runs down. Labels of each way come with the
    innermost first, which is the last dim.
    """

    def __init__(self, grid: Grid, letter: str, style: Style, room: int, widest: int) -> None:
        self.grid, self.letter, self.style = grid, letter, style
        first = _first_block(grid)
        self.columns = Axis.of(first.columns, style.width, style.gap)
        self.rows = Axis.of(first.rows, style.height, style.gap)
        self.block_width, self.block_height = self.columns.length, self.rows.length
        if not grid.blocks:
            self.block_width, self.block_height = NOTHING_WIDTH, STYLES[0].height
        ways: dict[Way, list[DimLabel]] = {"lead": [], "down": [], "across": []}
        for label in reversed(grid.dims):
            ways[label.way].append(label)
        self.across = [
            measure_across(label, self.columns, self.block_width) for label in ways["across"]
        ]
        self.down = [
            measure_down(
                label,
                self.rows,
                self.block_height,
                stacked=style.label_stacked or label.level > 0,
                short=style.label_short,
            )
            for label in ways["down"]
        ]
        self.lead: Lines = ()
        if ways["lead"]:
            words = ", ".join(label.text for label in reversed(ways["lead"]))
            self.lead = tuple(wrapped(f"a block for each index of {words}", LABEL, room))
        self.name = fitted(grid.name, NAME, widest - LETTER_WIDTH)
        # What letter and name take before the header.
        self.indent = LETTER_WIDTH if letter else 0
        self.before = self.indent
        if self.name:
            self.before += ceil(NAME.width(self.name)) + NAME_GAP
        self.header = _header_lines(grid.header, self.before, self.indent, room)
        self.left = sum(dim.tick_width for dim in self.down)
        self.left += sum(dim.width for dim in self.down[1:])
        right = sum(dim.width for dim in self.down[:1])
        labels = [ceil(BLOCK.width(block.label)) for block in grid.blocks]
        widest = max([self.block_width, *labels])
        self.block_pitch = widest + BLOCK_GAP
        blocks = max(len(grid.blocks), 1)
        fitting = max((room - self.left - right + BLOCK_GAP) // self.block_pitch, 1)
        per_row = min(fitting, grid.abreast or blocks)
        while grid.abreast and grid.abreast % per_row:
            # Rows of blocks that mix two leading indices would be misread.
            per_row -= 1
        self.blocks_per_row = per_row
        self.row_pitch = self.block_height + (BLOCK_LABEL if first.label else 0) + style.gap
        self.top = HEADER_HEIGHT + LINE_HEIGHT * (len(self.header) - 1)
        self.top += sum(dim.height for dim in self.across)
        self.top += LINE_HEIGHT * len(self.lead) + 4 if self.lead else 0
        self.height = self.top + -(-blocks // per_row) * self.row_pitch - style.gap
        behind = self.before - (0 if self.header[0] else NAME_GAP)
        self.width = ceil(
            max(
                self.left + (per_row - 1) * self.block_pitch + widest + right,
                *(self.left + dim.extent + dim.overhang for dim in self.across if dim.label.seam),
                behind + HEADER.width(self.header[0]),
                *(self.indent + HEADER.width(line) for line in self.header[1:]),
                *(HEADER.width(line) for line in self.lead),
            )
        )

    def place_of(self, number: int) -> tuple[int, int]:
        """Where a block begins, from the left and from `top` on."""
        row, column = divmod(number, self.blocks_per_row)
        return self.left + column * self.block_pitch, row * self.row_pitch


def plan(grid: Grid, letter: str = "", room: int = CONTENT, widest: int = CONTENT) -> GridPlan:
    """Measure a grid, in the roomiest style that fits. `letter` is its storage's.

    Its texts are cut where no style fits, if the room is the `widest` that there is.
    """
    longest = max([len(cell.text) for cell in grid.cells], default=0)
    visits = max([len(cell.visit) for cell in grid.cells], default=0)
    first = _first_block(grid)
    compact = len(first.columns) >= COMPACT_FROM_COLUMNS or len(first.rows) >= COMPACT_FROM_ROWS
    plans: list[GridPlan] = []
    for style in STYLES[COMPACT if compact else 0 :]:
        planned = GridPlan(grid, letter, _fitting(style, longest, visits), room, widest)
        abreast = planned.blocks_per_row == (grid.abreast or planned.blocks_per_row)
        # Labels are cut short only where nothing else fits.
        if planned.width <= room and abreast and not style.label_short:
            return planned
        plans.append(planned)
    # Where blocks that belong side by side never fit, they stand in parts of that row.
    planned = next((each for each in plans if each.width <= room), planned)
    if planned.width <= room or room < widest or not first.columns:
        return planned
    # No cells are small enough for such texts: they are cut to what there is room for.
    excess = -(-(planned.width - room) // len(first.columns))
    style = planned.style._replace(width=max(planned.style.width - excess, NARROWEST))
    most = max(int((style.width - style.air) / (style.font * 0.602)), 1)
    return GridPlan(grid, letter, style._replace(most=most), room, widest)


def _fitting(style: Style, longest: int, visits: int) -> Style:
    """The style with cells as large as what they say needs."""
    width, height = style.width, style.height
    if visits:
        roomy = style.font == STYLES[0].font
        width, height = VISIT_WIDTH if roomy else width, VISIT_HEIGHT
        width = max(width, ceil(visits * VISIT.size * 0.602) + (VISIT_AIR if roomy else 8))
    width = max(width, ceil(longest * style.font * 0.602) + style.air)
    return style._replace(width=width, height=height)


def _first_block(grid: Grid) -> Block:
    """A block with cells. All that have any are alike."""
    return next((block for block in grid.blocks if block.columns), Block("", (), ()))


def _header_lines(header: str, before: int, indent: int, room: int) -> Lines:
    """The header in lines that fit, broken between its parts if it can be.

    The first stands behind letter and name, which take so much; the others begin at `indent`,
    clear of the letter.
    """
    if before + HEADER.width(header) <= room:
        return (header,)
    lines, free = [""], room - before
    for part in header.split(" · "):
        longer = f"{lines[-1]} · {part}" if lines[-1] else part
        if HEADER.width(longer) <= free:
            lines[-1] = longer
        else:
            free = room - indent
            lines += wrapped(part, HEADER, free)
    return tuple(lines) if before or lines[0] else tuple(lines[1:])


def paint_grid(page: Page, planned: GridPlan, left: int, y: int, head: int) -> None:
    """Put a grid on the page; `y` is where its header begins, and its cells `head` further down."""
    grid, indent = planned.grid, left + planned.indent
    if planned.letter:
        paint_letter(page, left, y, planned.letter)
    if planned.name:
        page.write(NAME, indent, y + 8, planned.name)
    below, x = y + 8, left + planned.before
    for line in planned.header:
        if line:
            page.write(HEADER, x, below, line)
        below, x = below + LINE_HEIGHT, indent
    for number, line in enumerate(planned.lead):
        page.write(LABEL, left, below + 6 + LINE_HEIGHT * number, line)
    top = y + head
    _paint_labels(page, planned, left, top)
    if not grid.cells:
        x = left + planned.left
        page.boxes[palette.NO_ELEMENTS].append((x, top, planned.block_width, planned.block_height))
        middle, down = x + planned.block_width / 2, top + planned.block_height / 2
        page.write(LABEL_MIDDLE, middle, down, "0 elements")
    corners = [(left + dx, top + dy) for dx, dy in map(planned.place_of, range(len(grid.blocks)))]
    _paint_cells(page, planned, corners)
    page.reach(max((x for x, _ in corners), default=left) + planned.block_width)
    _paint_gaps(page, planned, corners)
    for outline, inset in insets_of(grid).items():
        paint_outline(page, (grid, outline), (planned.rows, planned.columns), corners, inset)
    page.height = max(page.height, y + planned.height)


def _paint_cells(page: Page, planned: GridPlan, corners: list[tuple[int, int]]) -> None:
    """The cells of blocks that begin at these corners."""
    grid, style = planned.grid, planned.style
    if not grid.cells:
        return
    xs_of, ys_of = planned.columns.at, planned.rows.at
    width, height = style.width, style.height
    boxes: list[Box] = [
        (corners[block][0] + xs_of[column], corners[block][1] + ys_of[row], width, height)
        for block, row, column, *_ in grid.cells
    ]
    visited = bool(grid.cells[0].visit)
    down = height - VISIT_DOWN if visited else height / 2
    placed = PlacedCells(grid, grid.cells, boxes, style.font)
    paint_cells(page, placed, down, style.most)
    most = max(int((width - 8) / (VISIT.size * 0.602)), 1)
    for cell, (x, y, _, _) in zip(grid.cells, boxes, strict=True) if visited else ():
        look, font = style_of(cell.group, cell.marks, style.font)
        visit, switch = cut(cell.visit, most) if style.most else cell.visit, "switch" in cell.marks
        paint_visit(page, x + 6, y + 9.5, visit, font.ink, switch=switch, fill=look.fill)


def _paint_gaps(page: Page, planned: GridPlan, corners: list[tuple[int, int]]) -> None:
    """The labels of blocks, and an ellipsis wherever indices are left out."""
    rows, columns = planned.rows, planned.columns
    for block, (x0, y0) in zip(planned.grid.blocks, corners, strict=True):
        if not block.columns:
            middle = x0 + planned.block_width / 2, y0 + planned.block_height / 2
            page.texts[ELLIPSIS].append((*middle, "⋯", ""))
        elif block.label:
            page.write(BLOCK, x0, y0 + planned.block_height + 11, block.label)
        gaps = {column for column, track in enumerate(block.columns) if track.index is None}
        for row, track in enumerate(block.rows):
            for column in range(len(block.columns)) if track.index is None else gaps:
                x = x0 + columns.at[column] + columns.size / 2
                page.texts[ELLIPSIS].append((x, y0 + rows.at[row] + rows.size / 2, "⋯", ""))


def _paint_labels(page: Page, planned: GridPlan, left: int, top: int) -> None:
    """Brackets, labels and ticks: above the first block and beside the first row of blocks."""
    x, foot = left + planned.left, float(top)
    for dim in planned.across:
        paint_across(page, dim, (x, foot))
        foot -= dim.height
    right = left + planned.place_of(planned.blocks_per_row - 1)[0] + planned.block_width + 8
    at = float(x)
    for dim in planned.down:
        paint_ticks_down(page, dim, (at - 4, top))
        at -= dim.tick_width
        paint_down(page, dim, (at - 8 if dim.label.level else right, top))
