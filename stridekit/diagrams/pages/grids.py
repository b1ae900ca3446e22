"""A grid on the page: its cells, what stands around them, and the map of a large tensor.

It is measured first, and paints itself once it is known where it stands.
"""

from collections.abc import Callable, Sequence
from math import ceil
from typing import NamedTuple

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.cell_styles import VISIT, paint_cells, paint_visit, style_of
from stridekit.diagrams.pages.grid_frames import (
    DOWN_GAP,
    LABEL,
    LINE_HEIGHT,
    Axis,
    Bracket,
    paint_outlines,
)
from stridekit.diagrams.pages.page import (
    CONTENT,
    LETTER_WIDTH,
    NOTE,
    Box,
    Font,
    Page,
    PlacedCells,
    Raster,
    fitted,
    paint_letter,
    wrapped,
)
from stridekit.diagrams.scenes.captions import cut
from stridekit.diagrams.scenes.scene import LEFT_OUT, Grid, Heatmap


class Style(NamedTuple):
    """How large cells are: their least size, their font, the air beside a text, and between dims.

    `short` has the labels of dims that run down say only which dims they are. Texts are cut to
    `most` characters, unless it is 0.
    """

    width: int
    height: int
    font: int
    air: int
    gap: int
    short: bool = False
    most: int = 0


# From roomy to small: a grid has the first that fits the page.
STYLES = (
    Style(36, 32, 13, 8, 10),
    Style(28, 24, 11, 8, 10),
    Style(24, 24, 11, 5, 8),
    Style(18, 22, 9, 4, 5),
    Style(17, 22, 9, 4, 4, short=True),
)
COMPACT = 1
# Cells whose texts are cut are no narrower.
NARROWEST = 13
# With a visit number in its corner a cell is higher; in a wide or a high grid smaller.
VISIT_HEIGHT, VISIT_DOWN, VISIT_AIR = 42, 13, 8
COMPACT_FROM_COLUMNS, COMPACT_FROM_ROWS = 21, 12
# What labels take, and the air between things.
HEADER_HEIGHT, BLOCK_LABEL = 18, 22
BLOCK_GAP, NAME_GAP = 20, 10
NOTHING_WIDTH = 110
# Of a map: a block's side, how long the scale of the shades is, and the room around them.
SHADE, SCALE = 10, 96
MAP_TITLE, SCALE_GAP = 18, 12

NAME = Font(13, bold=True)
HEADER = Font(12, ink=colours.MUTED)
BLOCK = Font(12, mono=True, ink=colours.MUTED)
ELLIPSIS = Font(13, "middle", mono=True, ink=colours.MUTED, fitted=False)


class GridPart(NamedTuple):
    """What stands in a row of grids: its size above and below the upper side of its cells.

    `paint` puts it on a page: its header at x and y, and its cells so far below.
    """

    width: int
    above: int
    below: int
    paint: Callable[[Page, int, int, int], None]
    blocks: int = 1


def plan_grid(grid: Grid, letter: str = "", room: int = CONTENT, widest: int = CONTENT) -> GridPart:
    """A grid in the roomiest style that fits. `letter` is its storage's.

    Its texts are cut where no style fits, if the room is the `widest` that there is.
    """
    longest = max([len(cell.text) for cell in grid.cells], default=0)
    visits = max([len(cell.visit) for cell in grid.cells], default=0)
    compact = len(grid.columns) >= COMPACT_FROM_COLUMNS or len(grid.rows) >= COMPACT_FROM_ROWS
    head = _head_of(grid, letter, room, widest)
    parts: list[GridPart] = []
    for style in STYLES[COMPACT if compact else 0 :]:
        style = _fitting(style, longest, visits)
        part = _planned(grid, head, style, room)
        abreast = part.blocks == (grid.abreast or part.blocks)
        # Labels are cut short only where nothing else fits.
        if part.width <= room and abreast and not style.short:
            return part
        parts.append(part)
    # Where blocks that belong side by side never fit, they stand in parts of that row.
    part = next((each for each in parts if each.width <= room), part)
    if part.width <= room or room < widest or not grid.columns:
        return part
    # No cells are small enough for such texts: they are cut to what there is room for.
    excess = -(-(part.width - room) // len(grid.columns))
    style = style._replace(width=max(style.width - excess, NARROWEST))
    most = int((style.width - style.air) / (style.font * 0.602))
    return _planned(grid, head, style._replace(most=most), room)


def _fitting(style: Style, longest: int, visits: int) -> Style:
    """The style with cells as large as what they say needs."""
    width = max(style.width, ceil(longest * style.font * 0.602) + style.air)
    if not visits:
        return style._replace(width=width)
    width = max(width, ceil(visits * VISIT.size * 0.602) + VISIT_AIR)
    return style._replace(width=width, height=VISIT_HEIGHT)


def _head_of(grid: Grid, letter: str, room: int, widest: int) -> Page:
    """A grid's letter, its name and its header, in lines that fit."""
    head = Page()
    indent = LETTER_WIDTH if letter else 0
    before, y = indent, 8
    if letter:
        paint_letter(head, 0, 0, letter)
    if name := fitted(grid.name, NAME, widest - LETTER_WIDTH):
        head.write(NAME, indent, y, name)
        before += ceil(NAME.width(name)) + NAME_GAP
    # The first line stands behind letter and name, the others are clear of the letter.
    x = before
    for line in wrapped(grid.header, HEADER, room - indent, " · ", room - before):
        if line:
            head.write(HEADER, x, y, line)
        y += LINE_HEIGHT if line or before else 0
        x = indent
    head.height = HEADER_HEIGHT + y - LINE_HEIGHT - 8
    if leads := [label.text for label in grid.dims if label.way == "lead"]:
        for line in wrapped(f"a block for each index of {', '.join(leads)}", LABEL, room):
            head.write(LABEL, 0, y + 6, line)
            y += LINE_HEIGHT
            head.height += LINE_HEIGHT
        head.height += 4
    return head


def _planned(grid: Grid, head: Page, style: Style, room: int) -> GridPart:
    """A grid in one style.

    Brackets above and beside the cells come with the innermost dim first, which is the last one.
    """
    columns = Axis(grid.columns, style.width, style.gap)
    rows = Axis(grid.rows, style.height, style.gap)
    width, height, blocks = columns.length, rows.length, max(len(grid.blocks), 1)
    if not grid.blocks:
        width, height = NOTHING_WIDTH, STYLES[0].height
    labels = grid.dims[::-1]
    across = [Bracket(each, columns, width) for each in labels if each.way == "across"]
    down = [Bracket(each, rows, height, short=style.short) for each in labels if each.way == "down"]
    # Ticks stand before the cells, and so do the labels of outer dims.
    besides = [each.width + DOWN_GAP for each in down]
    left = sum(each.tick_width for each in down) + sum(besides[1:])
    right = sum(besides[:1])
    widest = max([width, *(ceil(BLOCK.width(label)) for label in grid.blocks)])
    pitch = widest + BLOCK_GAP
    abreast = grid.abreast
    per_row = min(max((room - left - right + BLOCK_GAP) // pitch, 1), abreast or blocks)
    while abreast % per_row:
        # Rows of blocks that mix two leading indices would be misread.
        per_row -= 1
    row_pitch = height + (BLOCK_LABEL if any(grid.blocks) else 0) + style.gap
    end = left + (per_row - 1) * pitch + width

    def paint(page: Page, x: int, y: int, down_by: int) -> None:
        page.take(head, x, y)
        top, first = y + down_by, x + left
        foot = top
        for bracket in across:
            bracket.paint_across(page, first, foot)
            foot -= bracket.height
        at = first
        for bracket, beside in zip(down, besides, strict=True):
            ticks_end, at = at - 4, at - bracket.tick_width
            outer = bool(bracket.label.level)
            bracket.paint_down(page, at - 8 if outer else x + end + 8, top, ticks_end)
            at -= beside if outer else 0
        corners = [
            (first + number % per_row * pitch, top + number // per_row * row_pitch)
            for number in range(blocks)
        ]
        if grid.cells:
            _paint_cells(page, grid, style, rows, columns, corners)
        else:
            page.boxes[colours.NO_ELEMENTS].append((first, top, width, height))
            middle = first + width / 2, top + height / 2
            page.write(LABEL._replace(anchor="middle"), *middle, "0 elements")
        page.reach(x + end)

    reach = left + max([each.width for each in across], default=0)
    taken = max(end - width + widest + right, reach, ceil(head.width))
    above = int(head.height) + sum(each.height for each in across)
    return GridPart(taken, above, -(-blocks // per_row) * row_pitch - style.gap, paint, per_row)


def _paint_cells(
    page: Page, grid: Grid, style: Style, rows: Axis, columns: Axis, corners: list[tuple[int, int]]
) -> None:
    """The cells of all blocks, their labels, and an ellipsis wherever indices are left out."""
    width, height = style.width, style.height
    boxes: list[Box] = [
        (corners[block][0] + columns.at[column], corners[block][1] + rows.at[row], width, height)
        for block, row, column, *_ in grid.cells
    ]
    visited = bool(grid.cells[0].visit)
    down = height - VISIT_DOWN if visited else height / 2
    paint_cells(page, PlacedCells(grid, grid.cells, boxes, style.font), down, style.most)
    most = max(int((width - 8) / (VISIT.size * 0.602)), 1)
    for cell, (x, y, _, _) in zip(grid.cells, boxes, strict=True) if visited else ():
        look, font = style_of(cell.group, cell.marks, style.font)
        visit, switch = cut(cell.visit, most) if style.most else cell.visit, "switch" in cell.marks
        paint_visit(page, x + 6, y + 9.5, visit, font.ink, switch=switch, fill=look.fill)
    gaps = {column for column, track in enumerate(grid.columns) if track.index is None}
    for label, (left, top) in zip(grid.blocks, corners, strict=True):
        if label == LEFT_OUT:
            middle = left + columns.length / 2, top + rows.length / 2
            page.texts[ELLIPSIS].append((*middle, LEFT_OUT, ""))
            continue
        if label:
            page.write(BLOCK, left, top + rows.length + 11, label)
        for at, track in zip(rows.at, grid.rows, strict=True):
            for column in range(len(grid.columns)) if track.index is None else gaps:
                x = left + columns.at[column] + width / 2
                page.texts[ELLIPSIS].append((x, top + at + height / 2, LEFT_OUT, ""))
    paint_outlines(page, grid, rows, columns, corners)


def plan_heatmap(heatmap: Heatmap) -> GridPart:
    """A map under its title, with a scale of its shades below."""
    body, rows, columns = Page(), len(heatmap.means), len(heatmap.means[0])
    name = f" of {heatmap.name}" if heatmap.name else ""
    body.write(NAME, 0, 8 - MAP_TITLE, f"means of the blocks{name}")
    means = [mean for row in heatmap.means for mean in row]
    _paint_shades(body, (0, 0, columns * SHADE, rows * SHADE), columns, means)
    foot = rows * SHADE + SCALE_GAP
    low, high = (ceil(NOTE.width(text)) + 6 for text in (heatmap.low, heatmap.high))
    steps: list[float | None] = [step / SCALE for step in range(SCALE)]
    _paint_shades(body, (low, foot, SCALE, SHADE), SCALE, steps)
    body.write(NOTE, 0, foot + SHADE / 2, heatmap.low)
    body.write(NOTE, low + SCALE + 6, foot + SHADE / 2, heatmap.high)
    width = max(columns * SHADE, low + SCALE + high, ceil(body.width))
    paint = lambda page, x, y, down_by: page.take(body, x, y + down_by)  # noqa: E731
    return GridPart(width, MAP_TITLE, foot + SHADE, paint)


def _paint_shades(page: Page, box: Box, columns: int, values: Sequence[float | None]) -> None:
    """Values as shades from their least to their greatest, in rows; what is none is hatched."""
    known = [value for value in values if value is not None]
    # Halves, for the span of what a float holds is not a float.
    low, span = min(known) / 2, (max(known) / 2 - min(known) / 2) or 1
    shares = [0 if value is None else (value / 2 - low) / span for value in values]
    shades = [colours.mixed(colours.LOWEST, colours.HIGHEST, share) for share in shares]
    pixels = bytes(channel for shade in shades for channel in colours.channels_of(shade))
    page.images.append(Raster(box, columns, len(values) // columns, 3, pixels))
    page.over[colours.THIN].append(box)
    for number, value in enumerate(values):
        if value is None:
            row, column = divmod(number, columns)
            corner = box[0] + column * SHADE, box[1] + row * SHADE
            page.over[colours.look_of(None)].append((*corner, SHADE, SHADE))
