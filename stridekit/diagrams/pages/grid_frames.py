"""What stands around a grid's cells: brackets with the labels of dims, ticks, and outlines."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple, Self

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import LANES, THIN, Paint
from stridekit.diagrams.pages.page import Font, Page, text_width
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


class Axis(NamedTuple):
    """The tracks that run one way, with where each begins and how large a cell is, in pixels."""

    tracks: tuple[Track, ...]
    at: tuple[int, ...]
    size: int

    @classmethod
    def of(cls, tracks: tuple[Track, ...], size: int, gap: int) -> "Axis":
        """The tracks side by side, with the gaps between dims."""
        offsets, at = [], 0
        for track in tracks:
            if track.level:
                at += gap << (track.level - 1)
            offsets.append(at)
            at += size
        return cls(tracks, tuple(offsets), size)

    @property
    def length(self) -> int:
        """Where the last track ends."""
        return self.at[-1] + self.size if self.at else 0

    def extent(self, label: DimLabel) -> int:
        """How far a dim's indices run: to the first track where an outer dim moves on."""
        for track, before in zip(self.tracks[1:], self.at, strict=False):
            if track.level > label.level:
                return before + self.size
        return self.length

    def ticks(self, label: DimLabel) -> list[Tick]:
        """The middle of the tracks with one index of a dim, and that index. None for size 1."""
        if label.size < 2:
            return []
        spans: dict[Ints, tuple[int, int]] = {}
        level = label.level
        for track, at in zip(self.tracks, self.at, strict=True):
            index = track.index
            if index is not None:
                mine = index[:-level] if level else index
                spans[mine] = spans[mine][0] if mine in spans else at, at + self.size
        return [((start + end) / 2, str(index[-1])) for index, (start, end) in spans.items()]


def paint_across(
    page: Page, label: DimLabel, axis: Axis, place: tuple[int, int], whole: int
) -> int:
    """A dim's ticks, its bracket and its label, from a lower left corner up; gives their height.

    The label fits over its bracket: in one line, in several, or its name alone. The header of the
    tensor says the rest. `whole` is how wide a grid without cells is.
    """
    left, foot = place
    width, parts, ticks = axis.extent(label) or whole, _parts(label), axis.ticks(label)
    if label.seam and _width(parts, bold=True) > width:
        # Nothing stands beside it, and the reason may not be lost.
        lines: Lines = (" · ".join(parts[:-1]), parts[-1])
    else:
        fitting = (lines for lines in _ways(label, parts) if _width(lines, label.seam) <= width)
        lines = next(fitting, (str(label.dim),))
    y = foot - 4
    if ticks:
        _paint_ticks_across(page, ticks, left, foot - TICK_HEIGHT / 2)
        y -= TICK_HEIGHT
    pen, font = (ALERT, SEAM) if label.seam else (THIN, LABEL)
    page.lines[pen].append(((left, y + 4), (left, y), (left + width, y), (left + width, y + 4)))
    x: float = left
    if _width(lines, label.seam) <= width:
        x, font = left + width / 2, font._replace(anchor="middle")
    for number, line in enumerate(reversed(lines)):
        page.write(font, x, y - 9 - LINE_HEIGHT * number, line)
    return BRACKET_HEIGHT + LINE_HEIGHT * len(lines) + (TICK_HEIGHT if ticks else 0)


def _ways(label: DimLabel, parts: Lines) -> Iterator[Lines]:
    """The ways to write a label, from the widest to the narrowest."""
    yield (" · ".join(parts),)
    yield (" · ".join(parts[:2]), " · ".join(parts[2:]))
    yield (parts[0], " · ".join(parts[1:]))
    yield parts
    # What stands in brackets, such as "repeated", the stride of 0 says as well.
    bare = tuple(part.partition(" (")[0] for part in parts)
    yield (bare[0], " · ".join(bare[1:]))
    yield bare
    yield (parts[0],)
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


class DownLabel(NamedTuple):
    """A dim that runs down, measured: its label in lines, its ticks, and how far down it runs."""

    label: DimLabel
    lines: Lines
    ticks: list[Tick]
    height: int

    @classmethod
    def of(cls, label: DimLabel, axis: Axis, whole: int, *, stacked: bool, short: bool) -> Self:
        """Its label stands beside its bracket: in one line, or as many as there is height for.

        `whole` is how high a grid without cells is.
        """
        height = axis.extent(label) or whole
        if short:
            label = label._replace(parts=(cut(label.name, SHORT) or f"dim {label.dim}",))
        parts, most = _parts(label), max(int(height // LINE_HEIGHT), 1)
        lines: Lines
        if not stacked:
            lines = (" · ".join(parts),)
        elif most >= len(parts):
            lines = parts
        elif label.seam:
            # The reason is never lost.
            lines = (" · ".join(parts[:-1]), parts[-1])
            lines = lines if most > 1 else (f"{parts[0]} · {parts[-1]}",)
        else:
            lines = (parts[0], " · ".join(parts[1:])) if most > 1 else (parts[0],)
        return cls(label, lines, axis.ticks(label), height)

    @property
    def width(self) -> int:
        """What the label takes beside the cells."""
        return ceil(_width(self.lines, self.label.seam)) + DOWN_GAP

    @property
    def tick_width(self) -> int:
        """What the ticks take before the cells."""
        longest = max([len(text) for _, text in self.ticks], default=0)
        return ceil(TICK.width("0" * longest)) + TICK_GAP if longest else 0

    def paint(self, page: Page, x: float, ticks_end: float) -> None:
        """Its bracket at x, with the label of an inner dim right of it, an outer one's left."""
        page.texts[TICK_END] += [(ticks_end, y, text, "") for y, text in self.ticks]
        away = -1 if self.label.level else 1
        pen, font = (ALERT, SEAM) if self.label.seam else (THIN, LABEL)
        hook = x - 4 * away
        page.lines[pen].append(((hook, 0), (x, 0), (x, self.height), (hook, self.height)))
        font = font if away == 1 else font._replace(anchor="end")
        first = self.height / 2 - LINE_HEIGHT * (len(self.lines) - 1) / 2
        for number, line in enumerate(self.lines):
            page.write(font, x + 8 * away, first + LINE_HEIGHT * number, line)


def _parts(label: DimLabel) -> Lines:
    return (*label.parts, "cannot merge") if label.seam else label.parts


def _width(lines: Lines, bold: bool) -> float:
    return max(text_width(line, LABEL.size, bold=bold) for line in lines)


def paint_outlines(
    page: Page, grid: Grid, rows: Axis, columns: Axis, corners: Sequence[tuple[int, int]]
) -> None:
    """A frame around the cells that another tensor reaches, in as few rectangles as there are.

    The axes are those of each block; the corners where the blocks begin. No two frames share an
    edge.
    """
    insets: dict[Outline, int] = {}
    for outline in grid.outlines:
        met = {inset for other, inset in insets.items() if other.addresses & outline.addresses}
        insets[outline] = inset = INNER_FRAME if FRAME in met else FRAME
        line = LANES[outline.lane % len(LANES)]
        # With a light rim, to be seen on dark fills.
        casing = Paint(stroke=colours.CARD, weight=line.weight + 2)
        cells = [cell for cell in grid.cells if cell.address in outline.addresses]
        for block, r0, c0, r1, c1 in _rectangles(cells, rows, columns):
            x, y = (
                corners[block][0] + columns.at[c0] + inset,
                corners[block][1] + rows.at[r0] + inset,
            )
            width = columns.at[c1] + columns.size - columns.at[c0] - 2 * inset
            height = rows.at[r1] + rows.size - rows.at[r0] - 2 * inset
            page.over[casing].append((x, y, width, height))
            page.over[line].append((x, y, width, height))


def _rectangles(
    cells: list[Cell], rows: Axis, columns: Axis
) -> list[tuple[int, int, int, int, int]]:
    """Cells as rectangles: block, first row and column, last row and column."""
    # Of each row the runs of cells side by side.
    runs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cell in cells:
        mine = runs.setdefault((cell.block, cell.row), [])
        first = cell.column
        if mine and mine[-1][1] == cell.column - 1 and _touch(columns, cell.column):
            first, _ = mine.pop()
        mine.append((first, cell.column))
    found: dict[tuple[int, int, int, int], int] = {}
    for (block, row), mine in runs.items():
        for c0, c1 in mine:
            # One that ends in the row above goes on.
            above = found.pop((block, row - 1, c0, c1), row) if _touch(rows, row) else row
            found[block, row, c0, c1] = above
    return sorted((block, r0, c0, r1, c1) for (block, r1, c0, c1), r0 in found.items())


def _touch(axis: Axis, number: int) -> bool:
    """Whether a track follows the one before it without a gap."""
    return axis.at[number] - axis.at[number - 1] == axis.size
