"""A grid on the page: its cells, what stands around them, and the map of a large tensor.

It is painted in parts, which are moved to their place once it is known how large they came out.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import NamedTuple

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.cell_styles import (
    VISIT,
    paint_cells,
    paint_visit,
    style_of,
)
from stridekit.diagrams.pages.grid_frames import (
    LABEL,
    LINE_HEIGHT,
    Axis,
    DownLabel,
    Lines,
    paint_across,
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
# Of a map: a block's side, how long the scale of the shades is, and the room around them.
SHADE, SCALE = 10, 96
MAP_TITLE, SCALE_GAP = 18, 12

NAME = Font(13, bold=True)
HEADER = Font(12, ink=colours.MUTED)
BLOCK = Font(12, mono=True, ink=colours.MUTED)
ELLIPSIS = Font(13, "middle", mono=True, ink=colours.MUTED, fitted=False)


class GridPart(NamedTuple):
    """A grid that has been painted: its name and header, and its cells with what is around them.

    The cells begin at height 0 of `body`, and what stands above them reaches `up` from there.
    `blocks` is how many blocks stand side by side, `width` what the whole takes beside others. The
    cells are many, so they are not moved: `cells` paints them where they belong.
    """

    head: Page
    body: Page
    up: int
    width: int
    blocks: int = 1
    cells: Callable[[Page, int, int], None] = lambda *_: None

    @property
    def top(self) -> int:
        """The room above its cells."""
        return int(self.head.height) + self.up

    @property
    def below(self) -> int:
        """The room from there on."""
        return int(self.body.height)

    def place(self, page: Page, x: int, y: int, top: int) -> None:
        """Put it on a page: its header begins at `y`, and its cells so far below."""
        page.take(self.head, x, y)
        page.take(self.body, x, y + top)
        self.cells(page, x, y + top)


def paint_grid(
    grid: Grid, letter: str = "", room: int = CONTENT, widest: int = CONTENT
) -> GridPart:
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
        part = _painted(grid, head, style, room)
        # Labels are cut short only where nothing else fits.
        if (
            part.width <= room
            and part.blocks == (grid.abreast or part.blocks)
            and not style.label_short
        ):
            return part
        parts.append(part)
    # Where blocks that belong side by side never fit, they stand in parts of that row.
    part = next((each for each in parts if each.width <= room), part)
    if part.width <= room or room < widest or not grid.columns:
        return part
    # No cells are small enough for such texts: they are cut to what there is room for.
    excess = -(-(part.width - room) // len(grid.columns))
    style = style._replace(width=max(style.width - excess, NARROWEST))
    most = max(int((style.width - style.air) / (style.font * 0.602)), 1)
    return _painted(grid, head, style._replace(most=most), room)


def _fitting(style: Style, longest: int, visits: int) -> Style:
    """The style with cells as large as what they say needs."""
    width, height = style.width, style.height
    if visits:
        roomy = style.font == STYLES[0].font
        width, height = VISIT_WIDTH if roomy else width, VISIT_HEIGHT
        width = max(width, ceil(visits * VISIT.size * 0.602) + (VISIT_AIR if roomy else 8))
    width = max(width, ceil(longest * style.font * 0.602) + style.air)
    return style._replace(width=width, height=height)


def _head_of(grid: Grid, letter: str, room: int, widest: int) -> Page:
    """A grid's letter, its name and its header, in lines that fit."""
    head = Page()
    indent = LETTER_WIDTH if letter else 0
    before = indent
    if letter:
        paint_letter(head, 0, 0, letter)
    if name := fitted(grid.name, NAME, widest - LETTER_WIDTH):
        head.write(NAME, indent, 8, name)
        before += ceil(NAME.width(name)) + NAME_GAP
    x, y = before, 8
    for number, line in enumerate(_header_lines(grid.header, before, indent, room)):
        y += LINE_HEIGHT if number else 0
        if line:
            head.write(HEADER, x, y, line)
        x = indent
    head.height = HEADER_HEIGHT + y - 8
    if leads := [label.text for label in grid.dims if label.way == "lead"]:
        for line in wrapped(f"a block for each index of {', '.join(leads)}", LABEL, room):
            y += LINE_HEIGHT
            head.write(LABEL, 0, y + 6, line)
            head.height += LINE_HEIGHT
        head.height += 4
    return head


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


def _painted(grid: Grid, head: Page, style: Style, room: int) -> GridPart:
    """A grid in one style.

    Labels above and beside the cells come with the innermost dim first, which is the last one.
    """
    body, blocks = Page(), max(len(grid.blocks), 1)
    columns = Axis.of(grid.columns, style.width, style.gap)
    rows = Axis.of(grid.rows, style.height, style.gap)
    width, height = columns.length, rows.length
    if not grid.blocks:
        width, height = NOTHING_WIDTH, STYLES[0].height
    down = [
        DownLabel.of(
            label,
            rows,
            height,
            stacked=style.label_stacked or label.level > 0,
            short=style.label_short,
        )
        for label in reversed(grid.dims)
        if label.way == "down"
    ]
    # Ticks stand before the cells, and so do the labels of outer dims.
    left = sum(dim.tick_width for dim in down) + sum(dim.width for dim in down[1:])
    right = down[0].width if down else 0
    widest = max([width, *(ceil(BLOCK.width(label)) for label in grid.blocks)])
    pitch = widest + BLOCK_GAP
    abreast = grid.abreast
    per_row = min(max((room - left - right + BLOCK_GAP) // pitch, 1), abreast or blocks)
    while abreast % per_row:
        # Rows of blocks that mix two leading indices would be misread.
        per_row -= 1
    row_pitch = height + (BLOCK_LABEL if any(grid.blocks) else 0) + style.gap
    up = 0
    for label in reversed(grid.dims):
        if label.way == "across":
            up += paint_across(body, label, columns, (left, -up), width)
    end, at = left + (per_row - 1) * pitch + width, left
    for dim in down:
        ticks_end, at = at - 4, at - dim.tick_width
        dim.paint(body, at - 8 if dim.label.level else end + 8, ticks_end)
    corners = [
        (left + number % per_row * pitch, number // per_row * row_pitch) for number in range(blocks)
    ]
    if not grid.cells:
        body.boxes[colours.NO_ELEMENTS].append((left, 0, width, height))
        body.write(LABEL._replace(anchor="middle"), left + width / 2, height / 2, "0 elements")
    body.reach(end)
    body.height = -(-blocks // per_row) * row_pitch - style.gap
    taken = max(end - width + widest + right, body.width, head.width)
    cells = partial(_paint_blocks, grid, style, (rows, columns), corners)
    return GridPart(head, body, up, ceil(taken), per_row, cells)


def _paint_blocks(
    grid: Grid,
    style: Style,
    axes: tuple[Axis, Axis],
    corners: list[tuple[int, int]],
    page: Page,
    left: int,
    top: int,
) -> None:
    """The cells of all blocks, their labels, and an ellipsis wherever indices are left out."""
    rows, columns = axes
    corners = [(left + x, top + y) for x, y in corners]
    if grid.cells:
        _paint_cells(page, grid, style, axes, corners)
    gaps = {column for column, track in enumerate(grid.columns) if track.index is None}
    for label, (x0, y0) in zip(grid.blocks, corners, strict=False):
        if label == LEFT_OUT:
            middle = x0 + columns.length / 2, y0 + rows.length / 2
            page.texts[ELLIPSIS].append((*middle, LEFT_OUT, ""))
            continue
        if label:
            page.write(BLOCK, x0, y0 + rows.length + 11, label)
        for row, track in enumerate(grid.rows):
            for column in range(len(grid.columns)) if track.index is None else gaps:
                x = x0 + columns.at[column] + columns.size / 2
                page.texts[ELLIPSIS].append((x, y0 + rows.at[row] + rows.size / 2, LEFT_OUT, ""))
    paint_outlines(page, grid, rows, columns, corners)


def _paint_cells(
    page: Page, grid: Grid, style: Style, axes: tuple[Axis, Axis], corners: list[tuple[int, int]]
) -> None:
    ys_of, xs_of = (axis.at for axis in axes)
    width, height = style.width, style.height
    boxes: list[Box] = [
        (corners[block][0] + xs_of[column], corners[block][1] + ys_of[row], width, height)
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


def paint_heatmap(heatmap: Heatmap) -> GridPart:
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
    body.height = foot + SHADE
    width = max(columns * SHADE, low + SCALE + high, ceil(body.width))
    return GridPart(Page(), body, MAP_TITLE, width)


def _paint_shades(page: Page, box: Box, columns: int, values: Sequence[float | None]) -> None:
    """Values as shades from their least to their greatest, in rows; what is none is hatched."""
    known = [value for value in values if value is not None]
    # Halves, for the span of what a float holds is no float.
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
