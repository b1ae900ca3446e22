"""Where a grid stands on the page: its cells, the brackets of its dims, its labels."""

from math import ceil
from typing import NamedTuple

from stridekit.diagrams import palette
from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.palette import Paint, Pen, halo_on, ink_on, paint
from stridekit.diagrams.scene import Block, DimLabel, Grid, Marks, Track, Way
from stridekit.diagrams.sheet import Anchor, Box, Font, Run, Sheet

CELL_WIDTH, CELL_HEIGHT, CELL_FONT = 36, 32, 13
# With a visit number in its corner a cell is larger; in a wide or a high grid smaller.
VISIT_WIDTH, VISIT_HEIGHT = 46, 42
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
VISIT = Font(10, mono=True, ink=palette.INK, fitted=False)
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


def paint_grid(sheet: Sheet, measured: GridPlan, left: int, y: int) -> None:
    """Put a grid on the page; `y` is where its header begins."""
    grid = measured.grid
    x = left
    if grid.name:
        sheet.write(NAME, x, y + 8, grid.name)
        x += ceil(text_width(grid.name, NAME.size, bold=True)) + NAME_GAP
    sheet.write(HEADER, x, y + 8, grid.header)
    if measured.lead:
        words = ", ".join(label.text for label in reversed(measured.lead))
        sheet.write(LABEL, left, y + 28, f"a block for each index of {words}")
    top = y + measured.top
    _paint_across(sheet, measured, left + measured.left, top)
    _paint_down(sheet, measured, left, top)
    if not grid.cells:
        x = left + measured.left
        box = (x, top, measured.block_width, measured.block_height)
        sheet.boxes[palette.NO_ELEMENTS].append(box)
        middle = x + measured.block_width / 2, top + measured.block_height / 2
        sheet.write(LABEL_MIDDLE, *middle, "0 elements")
    _paint_cells(sheet, measured, left, top)
    _paint_gaps(sheet, measured, left, top)
    sheet.height = max(sheet.height, y + measured.height)


def _offsets(tracks: tuple[Track, ...], size: int) -> tuple[tuple[int, ...], int]:
    """Where each row or column begins, and where the last one ends."""
    offsets, at = [], 0
    for track in tracks:
        if track.level:
            at += GAP << (track.level - 1)
        offsets.append(at)
        at += size
    return tuple(offsets), at


def _paint_cells(sheet: Sheet, measured: GridPlan, left: int, top: int) -> None:
    width, height = measured.cell_width, measured.cell_height
    corners = [measured.place_of(number) for number in range(len(measured.grid.blocks))]
    xs = [left + x for x in measured.xs]
    ys = [top + y for y in measured.ys]
    half_width, half_height = width / 2, height / 2
    looks: dict[object, tuple[Font, list[Box], list[Run]]] = {}
    for block, row, column, _, _, text, group, marks, visit in measured.grid.cells:
        dx, dy = corners[block]
        x, y = dx + xs[column], dy + ys[row]
        look = looks.get((group, marks))
        if look is None:
            filled = look_of(group, marks)
            ink = ink_on(filled)
            font = Font(
                measured.font_size, "middle", mono=True, ink=ink, fitted=False, halo=halo_on(filled)
            )
            look = looks[group, marks] = font, sheet.boxes[filled], sheet.texts[font]
        look[1].append((x, y, width, height))
        if visit:
            look[2].append((x + half_width, y + height - 13, text))
            _paint_visit(sheet, look[0], x, y, visit, switch="switch" in marks)
        else:
            look[2].append((x + half_width, y + half_height, text))
        if marks:
            paint_marks(sheet, marks, (x, y, width, height))
    sheet.reach(left + max((dx for dx, _ in corners), default=0) + measured.block_width)


def _paint_visit(sheet: Sheet, font: Font, x: float, y: float, visit: str, *, switch: bool) -> None:
    """The visit's number in the upper left corner, on a dark pill where the line changes."""
    width = ceil(text_width(visit, VISIT.size, mono=True))
    if switch:
        sheet.over[palette.PILL].append((x + 3, y + 3, width + 6, 13))
    ink = palette.CARD if switch else font.ink
    sheet.texts[VISIT._replace(ink=ink)].append((x + 6, y + 9.5, visit))


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


def paint_marks(sheet: Sheet, marks: Marks, box: Box) -> None:
    """What a state adds to a box: an outline, or a dark corner."""
    x, y, width, height = box
    if "selected" in marks:
        sheet.over[palette.SELECTED].append((x + 1, y + 1, width - 2, height - 2))
        sheet.over[palette.SELECTED_INSIDE].append((x + 3, y + 3, width - 6, height - 6))
    if "needed" in marks:
        sheet.over[palette.NEEDED].append((x + 1, y + 1, width - 2, height - 2))
    if "written" in marks:
        corner = ((x + width - 10, y), (x + width, y), (x + width, y + 10))
        sheet.shapes[palette.INK].append(corner)


def _paint_gaps(sheet: Sheet, measured: GridPlan, left: int, top: int) -> None:
    """An ellipsis wherever indices are left out."""
    for number, block in enumerate(measured.grid.blocks):
        dx, dy = measured.place_of(number)
        x0, y0 = left + dx, top + dy
        if block.label and block.columns:
            sheet.write(BLOCK, x0, y0 + measured.block_height + 11, block.label)
        if not block.columns:
            middle = x0 + measured.block_width / 2, y0 + measured.block_height / 2
            sheet.texts[ELLIPSIS].append((*middle, "⋯"))
        gap_rows = [row for row, track in enumerate(block.rows) if track.index is None]
        gap_columns = {c for c, track in enumerate(block.columns) if track.index is None}
        for row in range(len(block.rows)):
            for column in range(len(block.columns)) if row in gap_rows else gap_columns:
                x = x0 + measured.xs[column] + measured.cell_width / 2
                y = y0 + measured.ys[row] + measured.cell_height / 2
                sheet.texts[ELLIPSIS].append((x, y, "⋯"))


def _paint_across(sheet: Sheet, measured: GridPlan, left: int, top: int) -> None:
    """A bracket and a label above the first block for each dim that runs across."""
    tracks = _first_block(measured.grid).columns
    for label in measured.across:
        width = _extent(label, tracks, measured.xs, measured.cell_width) or measured.block_width
        y = top - 8 - ACROSS_HEIGHT * label.level
        pen = ALERT if label.seam else THIN
        sheet.lines[pen].append(
            ((left, y + 4), (left, y), (left + width, y), (left + width, y + 4))
        )
        if _label_width(label) <= width:
            font = SEAM_MIDDLE if label.seam else LABEL_MIDDLE
            sheet.write(font, left + width / 2, y - 9, _text(label))
        else:
            sheet.write(SEAM if label.seam else LABEL, left, y - 9, _text(label))


def _paint_down(sheet: Sheet, measured: GridPlan, left: int, top: int) -> None:
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
        sheet.lines[pen].append(ends)
        x += -8 if label.level else 8
        anchor: Anchor = "end" if label.level else "start"
        sheet.write(font._replace(anchor=anchor), x, top + height / 2, _text(label))


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
