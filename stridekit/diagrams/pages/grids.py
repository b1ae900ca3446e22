"""Where a grid stands on the page: its cells, and what stands around them."""

from functools import lru_cache
from math import ceil
from typing import NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.cell_styles import (
    VISIT,
    WRITTEN,
    WRITTEN_LEAST,
    look_of,
    paint_cells,
    paint_visit,
    paint_written,
    written_side,
)
from stridekit.diagrams.pages.grid_frames import (
    INNER_FRAME,
    LABEL,
    LABEL_MIDDLE,
    LINE_HEIGHT,
    Axis,
    Lines,
    MeasuredDim,
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
    CellPlaces,
    Font,
    Page,
    cut,
    fitted,
    paint_letter,
    text_width,
    wrapped,
)
from stridekit.diagrams.pages.palette import ink_on
from stridekit.diagrams.scenes.scene import Block, DimLabel, Grid, Track, Way


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


# A grid's name, header, blocks and dims, and how many blocks belong side by side.
Bare = tuple[str, str, tuple[Block, ...], tuple[DimLabel, ...], int]


class GridPlan(NamedTuple):
    """A grid's measures, before it has a place on the page. All in pixels.

    `top` is the room above the first block for header, labels and ticks, `left` the room before it
    for ticks and the label of an outer dim that runs down. Labels of each way come with the
    innermost first.
    """

    grid: Grid
    letter: str
    name: str
    header: Lines
    lead: Lines
    down: list[MeasuredDim]
    across: list[MeasuredDim]
    style: Style
    rows: Axis
    columns: Axis
    block_width: int
    block_height: int
    block_pitch: int
    blocks_per_row: int
    block_label: int
    top: int
    left: int
    width: int
    height: int

    def place_of(self, number: int) -> tuple[int, int]:
        """Where a block begins, from the left and from `top` on."""
        row, column = divmod(number, self.blocks_per_row)
        return (
            self.left + column * self.block_pitch,
            row * (self.block_height + self.block_label + self.style.gap),
        )


def plan(grid: Grid, letter: str = "", room: int = CONTENT) -> GridPlan:
    """Measure a grid, in the roomiest style that fits. `letter` is its storage's."""
    longest = max([len(cell[5]) for cell in grid.cells], default=0)
    if grid.outlines and longest > 1 and any("written" in cell[7] for cell in grid.cells):
        # Between a frame and the value there has to be room for a corner.
        longest += 3 if INNER_FRAME in insets_of(grid).values() else 2
    visits = 0
    if grid.cells and grid.cells[0].visit:
        visits = max([len(cell[8]) for cell in grid.cells])
    bare = (grid.name, grid.header, grid.blocks, grid.dims, grid.abreast)
    return GridPlan(grid, *_plan(bare, letter, longest, visits, room)[1:])


# A picture is often laid out again with other values.
@lru_cache(maxsize=256)
def _plan(bare: Bare, letter: str, longest: int, visits: int, room: int) -> GridPlan:
    """A plan follows from the grid without its cells, and from how long their texts are."""
    name, header, blocks, dims, abreast = bare
    grid = Grid(name, header, 1, blocks, (), dims, abreast=abreast)
    first = _first_block(grid)
    compact = len(first.columns) >= COMPACT_FROM_COLUMNS or len(first.rows) >= COMPACT_FROM_ROWS
    styles = STYLES[COMPACT if compact else 0 :]
    plans = [_planned(grid, letter, first, _fitting(styles[0], longest, visits), room)]
    for style in styles[1:]:
        if plans[-1].width <= room and plans[-1].blocks_per_row == (
            abreast or plans[-1].blocks_per_row
        ):
            return plans[-1]
        plans.append(_planned(grid, letter, first, _fitting(style, longest, visits), room))
    # Where blocks that belong side by side never fit, they stand in parts of that row.
    planned = next((each for each in plans if each.width <= room), plans[-1])
    if planned.width <= room or room < CONTENT or not first.columns:
        return planned
    # No cells are small enough for such texts: they are cut to what there is room for.
    excess = -(-(planned.width - room) // len(first.columns))
    style = planned.style._replace(width=max(planned.style.width - excess, NARROWEST))
    return _planned(grid, letter, first, style._replace(most=_letters_in(style)), room)


def _letters_in(style: Style) -> int:
    return max(int((style.width - style.air) / (style.font * 0.602)), 1)


def _fitting(style: Style, longest: int, visits: int) -> Style:
    """The style with cells as large as what they say needs."""
    width, height = style.width, style.height
    if visits:
        roomy = style.font == STYLES[0].font
        width, height = VISIT_WIDTH if roomy else width, VISIT_HEIGHT
        width = max(width, ceil(visits * VISIT.size * 0.602) + (VISIT_AIR if roomy else 8))
    width = max(width, ceil(longest * style.font * 0.602) + style.air)
    return style._replace(width=width, height=height)


def _planned(grid: Grid, letter: str, first: Block, style: Style, room: int) -> GridPlan:
    columns, block_width = _axis(first.columns, style.width, style.gap)
    rows, block_height = _axis(first.rows, style.height, style.gap)
    if not grid.blocks:
        block_width, block_height = NOTHING_WIDTH, STYLES[0].height
    across = [measure_across(label, columns, block_width) for label in _labels(grid, "across")]
    down = [
        measure_down(
            label,
            rows,
            block_height,
            stacked=style.label_stacked or label.level > 0,
            short=style.label_short,
        )
        for label in _labels(grid, "down")
    ]
    if not grid.blocks:
        across, down = ([dim._replace(ticks=[]) for dim in dims] for dims in (across, down))
    name = fitted(grid.name, NAME, CONTENT - LETTER_WIDTH)
    before = _name_width(name, letter)
    indent = LETTER_WIDTH if letter else 0
    header = _header_lines(grid.header, before, indent, room)
    lead: Lines = ()
    leading = _labels(grid, "lead")
    if leading:
        words = ", ".join(label.text for label in reversed(leading))
        lead = tuple(wrapped(f"a block for each index of {words}", LABEL, room))
    above = sum(dim.height for dim in across)
    left = sum(dim.tick_width for dim in down) + sum(dim.width for dim in down[1:])
    right = sum(dim.width for dim in down[:1])
    labels = [ceil(text_width(block.label, BLOCK.size, mono=True)) for block in grid.blocks]
    pitch = max([block_width, *labels]) + BLOCK_GAP
    blocks = max(len(grid.blocks), 1)
    per_row = min(max((room - left - right + BLOCK_GAP) // pitch, 1), grid.abreast or blocks)
    while grid.abreast and grid.abreast % per_row:
        # Rows of blocks that mix two leading indices would be misread.
        per_row -= 1
    block_label = BLOCK_LABEL if first.label else 0
    top = HEADER_HEIGHT + LINE_HEIGHT * (len(header) - 1) + above
    top += LINE_HEIGHT * len(lead) + 4 if lead else 0
    return GridPlan(
        grid,
        letter,
        name,
        header,
        lead,
        down,
        across,
        style,
        rows,
        columns,
        block_width,
        block_height,
        pitch,
        per_row,
        block_label,
        top,
        left,
        width=ceil(
            max(
                left + (per_row - 1) * pitch + max([block_width, *labels]) + right,
                *(left + dim.extent + dim.overhang for dim in across if dim.label.seam),
                before - (0 if header[0] else NAME_GAP) + text_width(header[0], HEADER.size),
                *(indent + text_width(line, HEADER.size) for line in header[1:]),
                *(text_width(line, HEADER.size) for line in lead),
            )
        ),
        height=top + -(-blocks // per_row) * (block_height + block_label + style.gap) - style.gap,
    )


def _first_block(grid: Grid) -> Block:
    """A block with cells. All that have any are alike."""
    for block in grid.blocks:
        if block.columns:
            return block
    return Block("", (), ())


def _name_width(name: str, letter: str) -> int:
    """What the letter and the name take before the header."""
    width = ceil(text_width(name, NAME.size, bold=True)) + NAME_GAP if name else 0
    return width + (LETTER_WIDTH if letter else 0)


def _header_lines(header: str, before: int, indent: int, room: int) -> Lines:
    """The header in lines that fit, broken between its parts if it can be.

    The first stands behind letter and name, which take so much; the others begin at `indent`,
    clear of the letter.
    """
    if before + text_width(header, HEADER.size) <= room:
        return (header,)
    lines, free = [""], room - before
    for part in header.split(" · "):
        longer = f"{lines[-1]} · {part}" if lines[-1] else part
        if text_width(longer, HEADER.size) <= free:
            lines[-1] = longer
        else:
            free = room - indent
            lines += wrapped(part, HEADER, free)
    return tuple(lines) if before or lines[0] else tuple(lines[1:])


def paint_grid(page: Page, measured: GridPlan, left: int, y: int, head: int) -> None:
    """Put a grid on the page; `y` is where its header begins, and its cells `head` further down."""
    grid = measured.grid
    x = left
    if measured.letter:
        paint_letter(page, x, y, measured.letter)
        x += LETTER_WIDTH
    if measured.name:
        page.write(NAME, x, y + 8, measured.name)
        x += ceil(text_width(measured.name, NAME.size, bold=True)) + NAME_GAP
    if measured.header[0]:
        page.write(HEADER, x, y + 8, measured.header[0])
    below = y + 8
    indent = LETTER_WIDTH if measured.letter else 0
    for line in measured.header[1:]:
        below += LINE_HEIGHT
        page.write(HEADER, left + indent, below, line)
    below += 6
    for line in measured.lead:
        below += LINE_HEIGHT
        page.write(LABEL, left, below, line)
    top = y + head
    _paint_labels(page, measured, left, top)
    if not grid.cells:
        x = left + measured.left
        box = (x, top, measured.block_width, measured.block_height)
        page.boxes[palette.NO_ELEMENTS].add(*box)
        middle = x + measured.block_width / 2, top + measured.block_height / 2
        page.write(LABEL_MIDDLE, *middle, "0 elements")
    _paint_cells(page, measured, left, top)
    _paint_gaps(page, measured, left, top)
    for outline, inset in insets_of(grid).items():
        corners = [
            (left + dx, top + dy)
            for dx, dy in (measured.place_of(block) for block in range(len(grid.blocks)))
        ]
        axes = measured.rows, measured.columns
        paint_outline(page, (grid, outline), axes, corners, inset)
    page.height = max(page.height, y + measured.height)


def _axis(tracks: tuple[Track, ...], size: int, gap: int) -> tuple[Axis, int]:
    """Where each row or column begins, and where the last one ends."""
    offsets, at = [], 0
    for track in tracks:
        if track.level:
            at += gap << (track.level - 1)
        offsets.append(at)
        at += size
    return Axis(tracks, tuple(offsets), size), at


def _paint_cells(page: Page, measured: GridPlan, left: int, top: int) -> None:
    grid, style = measured.grid, measured.style
    size = style.width, style.height
    visited = grid.cells and grid.cells[0].visit
    down = size[1] - VISIT_DOWN if visited else size[1] / 2
    visit_most = max(int((style.width - 8) / (VISIT.size * 0.602)), 1)
    corners = [measured.place_of(number) for number in range(len(grid.blocks))]
    xs_of, ys_of = measured.columns.at, measured.rows.at
    written = [len(cell[5]) for cell in grid.cells if "written" in cell[7]]
    longest = min(max(written, default=0), style.most or CONTENT)
    # For the corner of a written cell, between its value and its own corner.
    room = written_side(longest, size[0], style.font, down) if written else 0
    side = min(max(room, WRITTEN_LEAST), WRITTEN)
    cells = grid.cells
    xs = [left + corners[cell[0]][0] + xs_of[cell[2]] for cell in cells]
    ys = [top + corners[cell[0]][1] + ys_of[cell[1]] for cell in cells]
    texts = [cell[5] for cell in cells]
    if style.most:
        texts = [cut(text, style.most) for text in texts]
    states = [cell[6:8] for cell in cells]
    if cells:
        page.places.append(CellPlaces(grid, cells, xs, ys, *size))
    if grid.outlines and written:
        # Their corners have to leave the frames room.
        _paint_written(page, grid, (xs, ys), style.width, room)
        states = [
            (group, tuple(mark for mark in marks if mark != "written")) for group, marks in states
        ]
    paint_cells(page, states, (xs, ys), size, texts, style.font, down, side)
    if visited:
        for x, y, cell in zip(xs, ys, cells, strict=True):
            look = look_of(*cell[6:8])
            visit = cut(cell.visit, visit_most) if style.most else cell.visit
            switch, ink = "switch" in cell.marks, ink_on(look)
            paint_visit(page, x + 6, y + 9.5, visit, ink, switch=switch, fill=look.fill)
    page.reach(left + max((dx for dx, _ in corners), default=0) + measured.block_width)


def _paint_written(
    page: Page,
    grid: Grid,
    corners: tuple[list[int], list[int]],
    width: int,
    room: int,
) -> None:
    """The corners of written cells, inside of the frames, which would lie over them.

    `room` is how large one may be that lies in no frame. Where a frame leaves none, it lies over
    the corner.
    """
    insets = insets_of(grid)
    for cell, x, y in zip(grid.cells, *corners, strict=True):
        if "written" not in cell.marks:
            continue
        inset = max((n for each, n in insets.items() if cell.address in each.addresses), default=-2)
        inward = inset + 2
        if room - 2 * inward < WRITTEN_LEAST:
            inward = 0
        side = min(max(room - 2 * inward, WRITTEN_LEAST), WRITTEN)
        paint_written(page, x + width - inward, y + inward, side)


def _paint_gaps(page: Page, measured: GridPlan, left: int, top: int) -> None:
    """An ellipsis wherever indices are left out."""
    rows, columns = measured.rows, measured.columns
    for number, block in enumerate(measured.grid.blocks):
        dx, dy = measured.place_of(number)
        x0, y0 = left + dx, top + dy
        if block.label and block.columns:
            page.write(BLOCK, x0, y0 + measured.block_height + 11, block.label)
        if not block.columns:
            middle = x0 + measured.block_width / 2, y0 + measured.block_height / 2
            page.texts[ELLIPSIS].add(*middle, "⋯")
        gap_rows = [row for row, track in enumerate(block.rows) if track.index is None]
        gap_columns = {c for c, track in enumerate(block.columns) if track.index is None}
        for row in range(len(block.rows)):
            for column in range(len(block.columns)) if row in gap_rows else gap_columns:
                x = x0 + columns.at[column] + columns.size / 2
                y = y0 + rows.at[row] + rows.size / 2
                page.texts[ELLIPSIS].add(x, y, "⋯")


def _paint_labels(page: Page, measured: GridPlan, left: int, top: int) -> None:
    """Brackets, labels and ticks: above the first block and beside the first row of blocks."""
    x, foot = left + measured.left, float(top)
    for dim in measured.across:
        paint_across(page, dim, (x, foot))
        foot -= dim.height
    right = left + measured.place_of(measured.blocks_per_row - 1)[0] + measured.block_width + 8
    at = float(x)
    for dim in measured.down:
        paint_ticks_down(page, dim, (at - 4, top))
        at -= dim.tick_width
        paint_down(page, dim, (at - 8 if dim.label.level else right, top))


def _labels(grid: Grid, way: Way) -> tuple[DimLabel, ...]:
    """The labels of the dims that go one way, the innermost first: the last dim."""
    return tuple(label for label in reversed(grid.dims) if label.way == way)
