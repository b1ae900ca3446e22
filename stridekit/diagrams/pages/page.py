"""A page: boxes, lines and texts at their places, in pixels. Renderers only paint it.

What looks alike is kept together, so that a renderer says how it looks once. The y axis points
down. A text's y is the middle of its digits.

How wide texts are is known without a font library: the widths are those of DejaVu Sans and DejaVu
Sans Mono, which matplotlib brings along. The SVG renderer fits other fonts to them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeVar

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import INK, Paint
from stridekit.diagrams.scenes.captions import cut
from stridekit.diagrams.scenes.scene import Cell, Grid, Slot, Strip

# The printable ASCII characters from the space on, in thousandths.
_SANS = """
318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636
636 636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787
603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635
634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838
"""
_BOLD = """
348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696
696 696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850
733 850 770 720 682 812 774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716
712 343 343 665 343 1042 712 687 716 716 493 595 478 712 652 924 645 652 582 712 365 712 838
"""
_OTHERS = {"·": 318, "×": 838, "≠": 838, "→": 838}
_WIDTHS = [
    # What is in neither is as wide as the font is high.
    defaultdict(lambda: 1000, _OTHERS)
    | {chr(32 + n): int(width) for n, width in enumerate(widths.split())}
    for widths in (_SANS, _BOLD)
]
_MONO = 602


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
    """The width of a text, in the units of the font size.

    >>> round(text_width("0000", 10, mono=True), 2)
    24.08
    """
    if mono:
        return len(text) * _MONO * size / 1000
    return sum(map(_WIDTHS[bold].__getitem__, text)) * size / 1000


# No page is wider, and so much is left of it between its margins.
WIDEST, MARGIN = 900, 14
CONTENT = WIDEST - 2 * MARGIN
# Notes and the legend are not squeezed into less, where there is more.
NARROWEST = 640
# Digits stand so high over their baseline, as a part of the font size.
DIGIT_HEIGHT = 0.73

Anchor = Literal["start", "middle", "end"]
# How much of a text lies left of where it is anchored.
LEFT: Final[dict[Anchor, float]] = {"start": 0.0, "middle": 0.5, "end": 1.0}
Point = tuple[float, float]
# The points of a line or a shape; or of a cubic Bézier curve: its start, two points that pull at
# it, and its end.
Points = tuple[Point, ...]
Box = tuple[float, float, float, float]  # x, y, width, height
# x, y, text, and the fill of the cell that it stands on: empty on the card, or on a ground.
Run = tuple[float, float, str, str]


class Font(NamedTuple):
    """How a text looks. The size is in pixels.

    A `fitted` text is squeezed or stretched to the width that was laid out, whatever font the
    reader has. `halo` is the colour of a rim around it, for text on stripes.
    """

    size: float
    anchor: Anchor = "start"
    mono: bool = False
    bold: bool = False
    ink: str = INK
    fitted: bool = True
    halo: str = ""

    def width(self, text: str) -> float:
        """How wide a text is."""
        return text_width(text, self.size, mono=self.mono, bold=self.bold)

    def span(self, x: float, text: str) -> tuple[float, float]:
        """From where to where a text goes that is anchored at x."""
        width = self.width(text)
        left = x - width * LEFT[self.anchor]
        return left, left + width


class Raster(NamedTuple):
    """A picture of pixels in a box: row by row, a byte for each channel, 1, 3 or 4 of them.

    A pixel stays a rectangle of one colour, however large the box is.
    """

    box: Box
    columns: int
    rows: int
    channels: int
    pixels: bytes


class PlacedCells(NamedTuple):
    """Cells of a grid, or slots of a strip, the box of each, all of one size, and their font's."""

    owner: Grid | Strip
    cells: Sequence[Cell | Slot]
    boxes: list[Box]
    font_size: int


@dataclass(slots=True)
class Page:
    """A page: its size in pixels and what is painted on it, in this order.

    `places` say where cells and slots stand, for whoever points at them. `room` is the width
    between its margins.
    """

    width: float = 0
    height: float = 0
    images: list[Raster] = field(default_factory=list)
    boxes: dict[Paint, list[Box]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[Paint, list[Points]] = field(default_factory=lambda: defaultdict(list))
    curves: dict[Paint, list[Points]] = field(default_factory=lambda: defaultdict(list))
    shapes: dict[str, list[Points]] = field(default_factory=lambda: defaultdict(list))
    over: dict[Paint, list[Box]] = field(default_factory=lambda: defaultdict(list))
    texts: dict[Font, list[Run]] = field(default_factory=lambda: defaultdict(list))
    places: list[PlacedCells] = field(default_factory=list)
    room: int = CONTENT

    def room_for_words(self, left: int) -> float:
        """How wide notes and the legend may be, which are not squeezed below a small picture."""
        return max(self.width - left, min(NARROWEST, self.room))

    def write(self, font: Font, x: float, y: float, text: str, on: str = "") -> None:
        """Add a text, and widen the page to hold it. `on` is the fill that it stands on."""
        self.texts[font].append((x, y, text, on))
        self.reach(font.span(x, text)[1])

    def bar(self, colour: str, left: float, upper: float, right: float, lower: float) -> None:
        """Add a rectangle in one colour, over lines."""
        corners = (left, upper), (right, upper), (right, lower), (left, lower)
        self.shapes[colour].append(corners)

    def reach(self, x: float) -> None:
        """Widen the page so that it reaches x."""
        self.width = max(self.width, x)

    def take(self, other: "Page", dx: float, dy: float) -> None:
        """Add all of another page, moved by so much."""
        for mine, theirs in ((self.boxes, other.boxes), (self.over, other.over)):
            for paint, boxes in theirs.items():
                mine[paint] += _moved_boxes(boxes, dx, dy)
        for name in ("lines", "curves", "shapes"):
            for look, things in getattr(other, name).items():
                moved = [tuple((x + dx, y + dy) for x, y in points) for points in things]
                getattr(self, name)[look] += moved
        for font, runs in other.texts.items():
            self.texts[font] += [(x + dx, y + dy, text, on) for x, y, text, on in runs]
        for each in other.places:
            self.places.append(each._replace(boxes=_moved_boxes(each.boxes, dx, dy)))
        for image in other.images:
            (box,) = _moved_boxes([image.box], dx, dy)
            self.images.append(image._replace(box=box))
        self.reach(other.width + dx)
        self.height = max(self.height, other.height + dy)


def _moved_boxes(boxes: list[Box], dx: float, dy: float) -> list[Box]:
    return [(x + dx, y + dy, width, height) for x, y, width, height in boxes]


Part = TypeVar("Part")


def in_rows(
    parts: Iterable[Part],
    width: Callable[[Part], int],
    air: int,
    room: float,
    begins: Callable[[Part], object] = lambda _: False,
) -> list[list[tuple[int, Part]]]:
    """Parts from left to right, in as many rows as the room needs; each with where it stands.

    A part that `begins` a row does so in any room.

    >>> in_rows(["one", "two", "three"], len, 1, 8)
    [[(0, 'one'), (4, 'two')], [(0, 'three')]]
    """
    rows: list[list[tuple[int, Part]]] = []
    x = 0
    for part in parts:
        if not rows or x + width(part) > room or begins(part):
            rows.append([])
            x = 0
        rows[-1].append((x, part))
        x += width(part) + air
    return rows


# Sentences in lines that fit: titles and notes; and the letter of a storage.


TITLE, NOTE = Font(14, bold=True), Font(12)
LETTER = Font(11, "middle", bold=True, ink=colours.CARD)
LETTER_BOX = 16
# With the air behind it.
LETTER_WIDTH = LETTER_BOX + 8


def wrapped(
    text: str, font: Font, room: float, link: str = " ", first: float | None = None
) -> list[str]:
    """The text in lines that are no wider than the room, broken at `link`s if it can be.

    The `first` line may have less room, and is empty where nothing fits it. Without words there
    are no lines.

    >>> wrapped("one two three", Font(10), 45)
    ['one two', 'three']
    """
    lines, free = [""], room if first is None else first
    for word in text.split(link):
        longer = f"{lines[-1]}{link}{word}" if lines[-1] else word
        if font.width(longer) <= free:
            lines[-1] = longer
        else:
            free = room
            lines += _pieces(word, font, room) if link == " " else wrapped(word, font, room)
    return lines if lines[0] or first is not None else lines[1:]


def _pieces(word: str, font: Font, room: float) -> list[str]:
    """A word, or what fits of it line by line."""
    pieces = []
    while font.width(word) > room and len(word) > 1:
        most = len(word) - 1
        while most > 1 and font.width(word[:most]) > room:
            most -= 1
        pieces.append(word[:most])
        word = word[most:]
    return [*pieces, word]


def fitted(text: str, font: Font, room: float) -> str:
    """The text, or as much of it as the room has place for.

    >>> fitted("a word", Font(10), 25)
    'a …'
    """
    most = len(text)
    while most > 1 and font.width(cut(text, most)) > room:
        most -= 1
    return cut(text, most)


def paint_letter(page: Page, x: float, y: float, letter: str) -> None:
    """A storage's letter on a dark square, in a line of text that begins at `y`."""
    page.over[colours.PILL].append((x, y, LETTER_BOX, LETTER_BOX))
    middle = LETTER_BOX / 2
    page.write(LETTER, x + middle, y + middle, letter, colours.PILL.fill)


def paint_title(page: Page, title: str, left: int, top: int) -> int:
    """A page's title in as many lines as it takes; gives where it ends."""
    lines = wrapped(title, TITLE, page.room + 2 * (MARGIN - left))
    for number, line in enumerate(lines):
        page.write(TITLE, left, top + 18 * number + 9, line)
    return top + 18 * len(lines) + 12 if lines else top


def paint_notes(page: Page, notes: Sequence[str], left: int, top: int) -> int:
    """Sentences below a picture, as wide as it; gives where they end."""
    room = page.room_for_words(left)
    for note in notes:
        for line in wrapped(note, NOTE, room):
            page.write(NOTE, left, top + 7, line)
            top += 20
    return top
