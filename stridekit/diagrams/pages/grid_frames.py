"""What stands around a grid's cells: brackets with the labels of dims, ticks, and outlines."""

from collections.abc import Iterator, Sequence
from math import ceil

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import LANES, THIN, Paint
from stridekit.diagrams.pages.page import Font, Page
from stridekit.diagrams.scenes.captions import cut
from stridekit.diagrams.scenes.scene import Cell, DimLabel, Grid, Outline, Track
from stridekit.layouts.layout import Ints

LABEL = Font(12)
SEAM = Font(12, bold=True, ink=colours.ALERT)
TICK = Font(10, "middle", mono=True, ink=colours.MUTED, fitted=False)
TICK_END = TICK._replace(anchor="end")
ALERT = Paint(stroke=colours.ALERT, weight=2)
LINE_HEIGHT, BRACKET_HEIGHT, TICK_HEIGHT = 14, 10, 13
# Air between two ticks, between ticks and what they count, and around a label that runs down.
TICK_AIR, TICK_GAP, DOWN_GAP = 5, 5, 20

# Where there is little room, of a name that stands beside the cells.
SHORT = 9
# How far inside of its cells a frame lies, and one that meets another one.
FRAME, INNER_FRAME = 2, 5

Lines = tuple[str, ...]
Tick = tuple[float, str]


class Axis:
    """The tracks that run one way, with where each begins and how large a cell is, in pixels."""

    def __init__(self, tracks: tuple[Track, ...], size: int, gap: int) -> None:
        self.tracks, self.size, self.at, self.length = tracks, size, list[int](), 0
        for track in tracks:
            # Between dims there are gaps.
            start = self.length + (gap << (track.level - 1) if track.level else 0)
            self.at.append(start)
            self.length = start + size

    def extent(self, label: DimLabel) -> int:
        """How far a dim's indices run: to the first track where an outer dim moves on."""
        pairs = zip(self.tracks[1:], self.at, strict=False)
        ends = (at + self.size for track, at in pairs if track.level > label.level)
        return next(ends, self.length)

    def ticks(self, label: DimLabel) -> list[Tick]:
        """The middle of the tracks with one index of a dim, and that index. None for size 1."""
        if label.size < 2:
            return []
        spans: dict[Ints, tuple[int, int]] = {}
        for track, at in zip(self.tracks, self.at, strict=True):
            if track.index is not None:
                mine = track.index[: len(track.index) - label.level]
                spans[mine] = spans.get(mine, (at, 0))[0], at + self.size
        return [((start + end) / 2, str(index[-1])) for index, (start, end) in spans.items()]


class Bracket:
    """A dim's bracket, measured: how far it runs, its label in lines, and its ticks.

    Over the cells, a label is no wider than its bracket: if need be it is the dim's name alone, for
    the header says the rest. Beside them it has as many lines as there is height for; a `short` one
    only says which dim it is. `whole` is how far a grid without cells reaches. `width` is the
    label's; `height` counts across, ticks included, and `tick_width` down.
    """

    def __init__(self, label: DimLabel, axis: Axis, whole: int, *, short: bool = False) -> None:
        self.label, self.ticks = label, axis.ticks(label)
        self.length = axis.extent(label) or whole
        self.pen, self.font = (ALERT, SEAM) if label.seam else (THIN, LABEL)
        parts = (cut(label.name, SHORT) or f"dim {label.dim}",) if short else label.parts
        parts = (*parts, "cannot merge") if label.seam else parts
        if label.way == "down":
            most = self.length // LINE_HEIGHT
            *_, self.lines = (lines for lines in _in_lines(parts) if len(lines) <= most)
        else:
            # Nothing stands beside a seam, and its reason may not be lost.
            least = (" · ".join(parts[:-1]), parts[-1]) if label.seam else (str(label.dim),)
            ways = _in_lines(parts) if label.seam else _ways(label)
            self.lines = next((each for each in ways if self._reach(each) <= self.length), least)
        self.width = ceil(self._reach(self.lines))
        self.height = BRACKET_HEIGHT + LINE_HEIGHT * len(self.lines)
        self.tick_width = 0
        if self.ticks:
            self.height += TICK_HEIGHT
            self.tick_width = ceil(max(TICK.width(text) for _, text in self.ticks)) + TICK_GAP

    def _reach(self, lines: Lines) -> float:
        return max(map(self.font.width, lines))

    def paint_across(self, page: Page, left: int, foot: int) -> None:
        """From a lower left corner up: ticks, the bracket, the label."""
        y, right, font = foot - 4, left + self.length, self.font
        if self.ticks:
            _paint_ticks_across(page, self.ticks, left, foot - TICK_HEIGHT / 2)
            y -= TICK_HEIGHT
        page.lines[self.pen].append(((left, y + 4), (left, y), (right, y), (right, y + 4)))
        x: float = left
        if self.width <= self.length:
            x, font = left + self.length / 2, font._replace(anchor="middle")
        for number, line in enumerate(reversed(self.lines)):
            page.write(font, x, y - 9 - LINE_HEIGHT * number, line)

    def paint_down(self, page: Page, x: float, top: float, ticks_end: float) -> None:
        """The bracket at x, with the label of an inner dim right of it, an outer one's left."""
        page.texts[TICK_END] += [(ticks_end, top + y, text, "") for y, text in self.ticks]
        away = -1 if self.label.level else 1
        hook, foot = x - 4 * away, top + self.length
        page.lines[self.pen].append(((hook, top), (x, top), (x, foot), (hook, foot)))
        font = self.font if away == 1 else self.font._replace(anchor="end")
        first = (top + foot - LINE_HEIGHT * (len(self.lines) - 1)) / 2
        for number, line in enumerate(self.lines):
            page.write(font, x + 8 * away, first + LINE_HEIGHT * number, line)


def _in_lines(parts: Lines) -> Iterator[Lines]:
    """A label in one line, in two, in a line for each part."""
    yield (" · ".join(parts),)
    for number in range(min(2, len(parts) - 1), 0, -1):
        yield (" · ".join(parts[:number]), " · ".join(parts[number:]))
    yield parts


def _ways(label: DimLabel) -> Iterator[Lines]:
    """The ways to write a label, from the widest to the narrowest."""
    yield from _in_lines(label.parts)
    # What stands in brackets, such as "repeated", the stride of 0 says as well.
    yield from _in_lines(tuple(part.partition(" (")[0] for part in label.parts))
    yield label.parts[:1]
    yield (label.name or str(label.dim),)
    for length in reversed(range(1, len(label.name))):
        yield (f"{label.name[:length]}…",)


def _paint_ticks_across(page: Page, ticks: list[Tick], left: float, y: float) -> None:
    """Each index over its column, as far as there is room; the first and the last for sure."""
    half = TICK.width("0") / 2
    last, longest = ticks[-1]
    runs = page.texts[TICK]
    end, limit = float("-inf"), last - half * len(longest) - TICK_AIR
    for middle, text in ticks[:-1]:
        reach = half * len(text)
        if middle - reach >= end and (middle + reach <= limit):
            runs.append((left + middle, y, text, ""))
            end = middle + reach + TICK_AIR
    runs.append((left + last, y, longest, ""))


def paint_outlines(
    page: Page, grid: Grid, rows: Axis, columns: Axis, corners: Sequence[tuple[int, int]]
) -> None:
    """A frame around the cells that another tensor reaches, in as few rectangles as there are.

    The axes are those of each block; the corners where the blocks begin. No two frames share an
    edge, and none that of a selected cell.
    """
    insets: dict[Outline, int] = {}
    selected = {cell.address for cell in grid.cells if "selected" in cell.marks}
    for outline in grid.outlines:
        met = {inset for other, inset in insets.items() if other.addresses & outline.addresses}
        ways = (INNER_FRAME, FRAME) if selected & outline.addresses else (FRAME, INNER_FRAME)
        insets[outline] = inset = ways[ways[0] in met]
        line = LANES[outline.lane % len(LANES)]
        # With a light rim, to be seen on dark fills.
        casing = Paint(stroke=colours.CARD, weight=line.weight + 2)
        cells = [cell for cell in grid.cells if cell.address in outline.addresses]
        for block, r0, c0, r1, c1 in _rectangles(cells, rows, columns):
            left, top = corners[block]
            x, y = left + columns.at[c0] + inset, top + rows.at[r0] + inset
            width = columns.at[c1] + columns.size - columns.at[c0] - 2 * inset
            height = rows.at[r1] + rows.size - rows.at[r0] - 2 * inset
            page.over[casing].append((x, y, width, height))
            page.over[line].append((x, y, width, height))


def _rectangles(
    cells: list[Cell], rows: Axis, columns: Axis
) -> Iterator[tuple[int, int, int, int, int]]:
    """Cells as rectangles: block, first row and column, last row and column."""
    left = {(cell.block, cell.row, cell.column) for cell in cells}
    for block, r0, c0 in sorted(left):
        if (block, r0, c0) not in left:
            continue
        r1, c1 = r0, c0
        while (block, r0, c1 + 1) in left and _touch(columns, c1 + 1):
            c1 += 1
        across = range(c0, c1 + 1)
        while {(block, r1 + 1, c) for c in across} <= left and _touch(rows, r1 + 1):
            r1 += 1
        left -= {(block, r, c) for r in range(r0, r1 + 1) for c in across}
        yield block, r0, c0, r1, c1


def _touch(axis: Axis, number: int) -> bool:
    """Whether a track follows the one before it without a gap."""
    return axis.at[number] - axis.at[number - 1] == axis.size
