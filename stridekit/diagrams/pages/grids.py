"""Where a grid stands on the page: its cells, the brackets of its dims, its labels."""

from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import NamedTuple

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.cell_styles import VISIT, look_of, paint_cells, paint_visit
from stridekit.diagrams.pages.metrics import text_width
from stridekit.diagrams.pages.page import Anchor, Font, Page, Places
from stridekit.diagrams.pages.palette import Pen, ink_on
from stridekit.diagrams.scenes.scene import Block, DimLabel, Grid, Track, Way

CELL_WIDTH, CELL_HEIGHT, CELL_FONT = 36, 32, 13
# With a visit number in its corner a cell is larger; in a wide or a high grid smaller.
VISIT_WIDTH, VISIT_HEIGHT, VISIT_DOWN = 46, 42, 13
COMPACT_WIDTH, COMPACT_HEIGHT, COMPACT_FONT = 28, 24, 11
COMPACT_FROM_COLUMNS, COMPACT_FROM_ROWS = 21, 12
# What labels take, and the air between things.
HEADER_HEIGHT, LEAD_HEIGHT, ACROSS_HEIGHT, BLOCK_LABEL = 24, 18, 24, 22
GAP, BLOCK_GAP, NAME_GAP, DOWN_GAP = 10, 20, 10, 20
BLOCKS_WIDTH = 900
NOTHING_WIDTH = 110

NAME = Font(13, bold=True)
HEADER = Font(12, ink=palette.MUTED)
LABEL = Font(12)
LABEL_MIDDLE = Font(12, "middle")
SEAM = Font(12, bold=True, ink=palette.ALERT)
SEAM_MIDDLE = SEAM._replace(anchor="middle")
BLOCK = Font(12, mono=True, ink=palette.MUTED)
ELLIPSIS = Font(13, "middle", mono=True, ink=palette.MUTED, fitted=False)
THIN, ALERT = Pen(), Pen(palette.ALERT, 2)


class GridPlan(NamedTuple):
    """A grid's measures, before it has a place on the page. All in pixels.

    `top` is the room above the first block for header and labels, `left` the room before it for
    the label of an outer dim that runs down. Labels of each way come with the innermost first.
    """

    grid: Grid
    lead: tuple[DimLabel, ...]
    down: tuple[DimLabel, ...]
    across: tuple[DimLabel, ...]
    cell_width: int
    cell_height: int
    font_size: int
    xs: tuple[int, ...]
    ys: tuple[int, ...]
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
            row * (self.block_height + self.block_label + GAP),
        )


def plan(grid: Grid) -> GridPlan:
    """Measure a grid."""
    first = _first_block(grid)
    lead, down, across = (_labels(grid, way) for way in ("lead", "down", "across"))
    compact = len(first.columns) >= COMPACT_FROM_COLUMNS or len(first.rows) >= COMPACT_FROM_ROWS
    cell_width, cell_height, size = CELL_WIDTH, CELL_HEIGHT, CELL_FONT
    if compact:
        cell_width, cell_height, size = COMPACT_WIDTH, COMPACT_HEIGHT, COMPACT_FONT
    if grid.cells and grid.cells[0].visit:
        cell_width, cell_height = VISIT_WIDTH, VISIT_HEIGHT
        widest = max(len(cell.visit) for cell in grid.cells)
        cell_width = max(cell_width, ceil(widest * VISIT.size * 0.602) + 14)
    longest = max([len(cell[5]) for cell in grid.cells], default=0)
    cell_width = max(cell_width, ceil(longest * size * 0.602) + 8)
    xs, block_width = _offsets(first.columns, cell_width)
    ys, block_height = _offsets(first.rows, cell_height)
    if not grid.blocks:
        block_width, block_height = NOTHING_WIDTH, CELL_HEIGHT
    blocks = max(len(grid.blocks), 1)
    labels = [ceil(text_width(block.label, BLOCK.size, mono=True)) for block in grid.blocks]
    pitch = max([block_width, *labels]) + BLOCK_GAP
    per_row = min(max(BLOCKS_WIDTH // pitch, 1), blocks)
    block_label = BLOCK_LABEL if first.label else 0
    top = HEADER_HEIGHT + (LEAD_HEIGHT if lead else 0) + ACROSS_HEIGHT * len(across)
    cells = (per_row - 1) * pitch + block_width
    left = sum(ceil(_label_width(label)) + DOWN_GAP for label in down[1:])
    right = sum(ceil(_label_width(label)) + DOWN_GAP for label in down[:1])
    return GridPlan(
        grid,
        lead,
        down,
        across,
        cell_width,
        cell_height,
        size,
        xs,
        ys,
        block_width,
        block_height,
        pitch,
        per_row,
        block_label,
        top,
        left,
        width=ceil(
            max(
                left + cells + right,
                _header_width(grid),
                *(left + _label_width(label) for label in across),
            )
        ),
        height=top + -(-blocks // per_row) * (block_height + block_label + GAP) - GAP,
    )


def _first_block(grid: Grid) -> Block:
    """A block with cells. All that have any are alike."""
    for block in grid.blocks:
        if block.columns:
            return block
    return Block("", (), ())


def _header_width(grid: Grid) -> float:
    name = text_width(grid.name, NAME.size, bold=True) + NAME_GAP if grid.name else 0
    return name + text_width(grid.header, HEADER.size)


def paint_grid(page: Page, measured: GridPlan, left: int, y: int) -> None:
    """Put a grid on the page; `y` is where its header begins."""
    grid = measured.grid
    x = left
    if grid.name:
        page.write(NAME, x, y + 8, grid.name)
        x += ceil(text_width(grid.name, NAME.size, bold=True)) + NAME_GAP
    page.write(HEADER, x, y + 8, grid.header)
    if measured.lead:
        words = ", ".join(label.text for label in reversed(measured.lead))
        page.write(LABEL, left, y + 28, f"a block for each index of {words}")
    top = y + measured.top
    _paint_across(page, measured, left + measured.left, top)
    _paint_down(page, measured, left, top)
    if not grid.cells:
        x = left + measured.left
        box = (x, top, measured.block_width, measured.block_height)
        page.boxes[palette.NO_ELEMENTS].add(*box)
        middle = x + measured.block_width / 2, top + measured.block_height / 2
        page.write(LABEL_MIDDLE, *middle, "0 elements")
    _paint_cells(page, measured, left, top)
    _paint_gaps(page, measured, left, top)
    page.height = max(page.height, y + measured.height)


def _offsets(tracks: tuple[Track, ...], size: int) -> tuple[tuple[int, ...], int]:
    """Where each row or column begins, and where the last one ends."""
    offsets, at = [], 0
    for track in tracks:
        if track.level:
            at += GAP << (track.level - 1)
        offsets.append(at)
        at += size
    return tuple(offsets), at


def _paint_cells(page: Page, measured: GridPlan, left: int, top: int) -> None:
    grid, size = measured.grid, (measured.cell_width, measured.cell_height)
    visited = grid.cells and grid.cells[0].visit
    down = size[1] - VISIT_DOWN if visited else size[1] / 2
    corners = [measured.place_of(number) for number in range(len(grid.blocks))]
    for (block, group, marks), run in groupby(grid.cells, key=itemgetter(0, 6, 7)):
        alike = [*run]
        x, y = left + corners[block][0], top + corners[block][1]
        xs = [x + measured.xs[cell[2]] for cell in alike]
        ys = [y + measured.ys[cell[1]] for cell in alike]
        texts = [cell[5] for cell in alike]
        page.places.append(Places(grid, alike, xs, ys, *size))
        paint_cells(page, (group, marks), (xs, ys), size, texts, measured.font_size, down)
        if visited:
            ink = ink_on(look_of(group, marks))
            for x, y, cell in zip(xs, ys, alike, strict=True):
                switch = "switch" in cell.marks
                paint_visit(page, x + 6, y + 9.5, cell.visit, ink, switch=switch)
    page.reach(left + max((dx for dx, _ in corners), default=0) + measured.block_width)


def _paint_gaps(page: Page, measured: GridPlan, left: int, top: int) -> None:
    """An ellipsis wherever indices are left out."""
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
                x = x0 + measured.xs[column] + measured.cell_width / 2
                y = y0 + measured.ys[row] + measured.cell_height / 2
                page.texts[ELLIPSIS].add(x, y, "⋯")


def _paint_across(page: Page, measured: GridPlan, left: int, top: int) -> None:
    """A bracket and a label above the first block for each dim that runs across."""
    tracks = _first_block(measured.grid).columns
    for label in measured.across:
        width = _extent(label, tracks, measured.xs, measured.cell_width) or measured.block_width
        y = top - 8 - ACROSS_HEIGHT * label.level
        pen = ALERT if label.seam else THIN
        page.lines[pen].append(((left, y + 4), (left, y), (left + width, y), (left + width, y + 4)))
        if _label_width(label) <= width:
            font = SEAM_MIDDLE if label.seam else LABEL_MIDDLE
            page.write(font, left + width / 2, y - 9, _text(label))
        else:
            page.write(SEAM if label.seam else LABEL, left, y - 9, _text(label))


def _paint_down(page: Page, measured: GridPlan, left: int, top: int) -> None:
    """A bracket and a label for each dim that runs down.

    The inner one stands right of the first row of blocks, an outer one left of it.
    """
    tracks = _first_block(measured.grid).rows
    right = left + measured.place_of(measured.blocks_per_row - 1)[0] + measured.block_width + 8
    for label in measured.down:
        height = _extent(label, tracks, measured.ys, measured.cell_height) or measured.block_height
        pen = ALERT if label.seam else THIN
        font = SEAM if label.seam else LABEL
        x, tick = (left + measured.left - 8, 4) if label.level else (right, -4)
        ends = (x + tick, top), (x, top), (x, top + height), (x + tick, top + height)
        page.lines[pen].append(ends)
        x += -8 if label.level else 8
        anchor: Anchor = "end" if label.level else "start"
        page.write(font._replace(anchor=anchor), x, top + height / 2, _text(label))


def _extent(label: DimLabel, tracks: tuple[Track, ...], at: tuple[int, ...], size: int) -> int:
    """How far a dim's indices run: to the first track where an outer dim moves on."""
    last = len(tracks) - 1
    for number, track in enumerate(tracks):
        if number and track.level > label.level:
            last = number - 1
            break
    return at[last] + size if tracks else 0


def _labels(grid: Grid, way: Way) -> tuple[DimLabel, ...]:
    """The labels of the dims that go one way, the innermost first: the last dim."""
    return tuple(label for label in reversed(grid.dims) if label.way == way)


def _text(label: DimLabel) -> str:
    return f"{label.text} · cannot merge" if label.seam else label.text


def _label_width(label: DimLabel) -> float:
    return text_width(_text(label), LABEL.size, bold=label.seam)
