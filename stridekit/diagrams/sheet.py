"""Where everything in a scene stands on the page, in pixels. Renderers only paint it.

The y axis points down. A text's y is the middle of its digits.
"""

from dataclasses import dataclass, field
from typing import Literal

from stridekit.diagrams.metrics import text_width
from stridekit.diagrams.scene import Break, Grid, Scene, Slot, Strip

CELL_WIDTH, CELL_HEIGHT = 36, 32
SLOT = 28
VALUE_SIZE, LABEL_SIZE, ADDRESS_SIZE = 13, 12, 10
MARGIN = 14
# Digits stand so high over their baseline, as a part of the font size.
DIGIT_HEIGHT = 0.73
# JupyterLab's output area shows so much without scrolling.
STRIP_WIDTH = 900
SLOTS_PER_ROW = 32

Anchor = Literal["start", "middle", "end"]
Ink = Literal["ink", "muted", "on fill"]


@dataclass(frozen=True, slots=True)
class Box:
    """A filled cell. Group None is storage that the tensor does not reach."""

    x: float
    y: float
    width: float
    height: float
    group: int | None


@dataclass(frozen=True, slots=True)
class Text:
    """A run of text. `group` matters only for ink "on fill"."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    mono: bool = False
    bold: bool = False
    ink: Ink = "ink"
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A thin line through some points."""

    points: tuple[tuple[float, float], ...]
    dashed: bool = False


@dataclass(slots=True)
class Sheet:
    """A page: its size in pixels and what is painted on it."""

    width: float = 0
    height: float = 0
    boxes: list[Box] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def write(self, text: Text) -> None:
        """Add a text, and widen the page to hold it."""
        self.texts.append(text)
        after = {"start": 1.0, "middle": 0.5, "end": 0.0}[text.anchor]
        self.width = max(self.width, text.x + after * width_of(text))

    def cell(self, box: Box, text: str, size: float) -> None:
        """Add a cell with its text in the middle."""
        self.boxes.append(box)
        self.width = max(self.width, box.x + box.width)
        middle = box.x + box.width / 2, box.y + box.height / 2
        self.texts.append(
            Text(*middle, text, size, "middle", mono=True, ink="on fill", group=box.group)
        )


def width_of(text: Text) -> float:
    """The width of a text on the page, in pixels."""
    return text_width(text.text, text.size, mono=text.mono, bold=text.bold)


def lay_out(scene: Scene) -> Sheet:
    """The page that shows a scene."""
    sheet = Sheet()
    bottom = _lay_out_grid(sheet, scene.grid, MARGIN)
    bottom = _lay_out_strip(sheet, scene.strip, bottom + 26)
    sheet.width += MARGIN
    sheet.height = bottom + MARGIN
    return sheet


def _lay_out_grid(sheet: Sheet, grid: Grid, top: float) -> float:
    sheet.write(Text(MARGIN, top + 8, grid.title, VALUE_SIZE, bold=True))
    top += 34
    down = [label for label in grid.dims if not label.across]
    across = [label for label in grid.dims if label.across]
    left = MARGIN
    if across:
        top += 24
    texts = [cell.text for cell in grid.cells]
    cell_width = max(CELL_WIDTH, _cell_width(texts, VALUE_SIZE))
    width = cell_width * max(grid.columns, 1)
    height = CELL_HEIGHT * max(grid.rows, 1)
    if not grid.cells:
        width, height = 110, CELL_HEIGHT
        corners = ((0, 0), (width, 0), (width, height), (0, height), (0, 0))
        sheet.lines.append(Line(tuple((left + x, top + y) for x, y in corners), dashed=True))
        sheet.write(Text(left + width / 2, top + height / 2, "0 elements", LABEL_SIZE, "middle"))
    for cell in grid.cells:
        x, y = left + cell.column * cell_width, top + cell.row * CELL_HEIGHT
        sheet.cell(Box(x, y, cell_width, CELL_HEIGHT, cell.group), cell.text, VALUE_SIZE)
    for row in range(grid.rows):
        for column in range(grid.columns):
            if row in grid.row_gaps or column in grid.column_gaps:
                x = left + (column + 0.5) * cell_width
                y = top + (row + 0.5) * CELL_HEIGHT
                sheet.write(Text(x, y, "⋯", VALUE_SIZE, "middle", mono=True, ink="muted"))
    for label in across:
        y = top - 8
        sheet.lines.append(_bracket((left, y), (left + width, y), (0, 4)))
        if text_width(label.text, LABEL_SIZE) <= width:
            sheet.write(Text(left + width / 2, y - 12, label.text, LABEL_SIZE, "middle"))
        else:
            sheet.write(Text(left, y - 12, label.text, LABEL_SIZE))
    for label in down:
        x = left + width + 8
        sheet.lines.append(_bracket((x, top), (x, top + height), (-4, 0)))
        sheet.write(Text(x + 8, top + height / 2, label.text, LABEL_SIZE))
    return top + height


def _lay_out_strip(sheet: Sheet, strip: Strip, top: float) -> float:
    sheet.write(Text(MARGIN, top, strip.title, LABEL_SIZE))
    top += 14
    texts = [slot.text for slot in strip.slots if isinstance(slot, Slot)]
    numbers = [str(slot.address) for slot in strip.slots if isinstance(slot, Slot)]
    width = max(SLOT, _cell_width(texts, LABEL_SIZE), _cell_width(numbers, ADDRESS_SIZE))
    if not strip.slots:
        sheet.write(Text(MARGIN, top + SLOT / 2, "(empty)", LABEL_SIZE, ink="muted"))
    x, in_row = float(MARGIN), 0
    for slot in strip.slots:
        if isinstance(slot, Break):
            text = f"⋯ {slot.count:,} more ⋯"
            needed = text_width(text, LABEL_SIZE) + 12
        else:
            needed = width
        if in_row == SLOTS_PER_ROW or x + needed > MARGIN + STRIP_WIDTH:
            x, in_row, top = MARGIN, 0, top + SLOT + 22
        middle = x + needed / 2
        if isinstance(slot, Break):
            sheet.write(Text(middle, top + SLOT / 2, text, LABEL_SIZE, "middle", ink="muted"))
        else:
            sheet.cell(Box(x, top, width, SLOT, slot.group), slot.text, LABEL_SIZE)
            address = Text(
                middle, top + SLOT + 9, str(slot.address), ADDRESS_SIZE, "middle", True, ink="muted"
            )
            sheet.write(address)
        x, in_row = x + needed, in_row + 1
    return top + SLOT + 16


def _cell_width(texts: list[str], size: float) -> float:
    return max((text_width(text, size, mono=True) for text in texts), default=0) + 10


def _bracket(
    start: tuple[float, float], end: tuple[float, float], tick: tuple[float, float]
) -> Line:
    """A line along a side of the grid, its ends bent towards the cells."""
    (x0, y0), (x1, y1), (dx, dy) = start, end, tick
    return Line(((x0 + dx, y0 + dy), (x0, y0), (x1, y1), (x1 + dx, y1 + dy)))
