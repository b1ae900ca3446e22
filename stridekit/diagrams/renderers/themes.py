"""A page's colours on a dark card: worked out from those on the white one, when it is painted.

Fills keep their colour, so a picture means the same in both themes. What is white or grey is
turned round, what is pale becomes deep, and what is written or drawn in a colour is lightened
until it can be read: text has a contrast of 4.5 to 1 at least with what it stands on, a line of 3
to 1 (WCAG 2.2, 1.4.3 and 1.4.11).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import compress, repeat
from typing import Final, Literal, get_args

from stridekit.diagrams.pages import palette
from stridekit.diagrams.pages.page import Boxes, Font, Page, Point, Runs, text_width
from stridekit.diagrams.pages.palette import Paint, Pen
from stridekit.errors import ArgumentError

# "auto" is a picture that can be both, and follows the page that it stands on.
Theme = Literal["light", "dark", "auto"]
THEMES: Final = get_args(Theme)
# JupyterLab's own, so that no edge is seen between the picture and the page.
DARK_CARD = "#111111"
TEXT, LINE = 4.5, 3.0
# What a picture in two colours has between them.
OR = "|"
# The ink on the white card, and on the dark one.
_DARKEST, _LIGHTEST = 0x1A, 0xEA
# What is whiter than this, and no fill of a group, is a pale form of one, or a tint.
_PALE = 0.5
_BUCKET = 64
# Shapes that bring their own rim.
_KEPT = (palette.CORNER, palette.CORNER_RIM)


def checked(call: str, theme: object, known: tuple[str, ...] = THEMES) -> None:
    """Raise ArgumentError for a theme that there is not.

    >>> checked("svg", "dark")
    """
    if theme not in known:
        raise ArgumentError(
            f"{call}: there is no theme {theme!r:.40}. "
            f"Choose {', '.join(known[:-1])} or {known[-1]}."
        )


def themed(page: Page, theme: Theme) -> Page:
    """The page in the colours of a theme.

    With "auto" each colour that differs is both, the light one first: `#FFFFFF|#111111`.
    """
    if theme == "light":
        return page
    pick = _pick_in(theme)
    ground = _Ground(page, _of_cells(page))
    # Pixels mean what they show.
    done = Page(page.width, page.height, images=page.images)
    for mine, theirs in ((done.boxes, page.boxes), (done.over, page.over)):
        for look, boxes in theirs.items():
            _extend(mine[_box_in(theme, look)], boxes)
    for pen, lines in page.lines.items():
        done.lines[_pen_in(theme, pen)] += lines
    for pen, curves in page.curves.items():
        done.curves[_pen_in(theme, pen)] += curves
    for colour, shapes in page.shapes.items():
        if colour in _KEPT:
            done.shapes[colour] += shapes
            continue
        for points in shapes:
            dark = ink_on(colour, ground.at(*_middle(points)))
            done.shapes[pick(colour, dark)].append(points)
    for font, runs in page.texts.items():
        # Hundreds of texts stand on a handful of fills, and come to one font or two.
        if len(runs.fills) == len(runs.texts):
            fills = runs.fills
            inks = {
                fill: _font_on(font, fill and fill_on_card(fill), theme)
                for fill in dict.fromkeys(fills)
            }
        else:
            fills = ground.under(font, runs)
            inks = {fill: _font_on(font, fill, theme) for fill in dict.fromkeys(fills)}
        different = dict.fromkeys(inks.values())
        for ink in different:
            is_one = len(different) == 1
            here = repeat(True) if is_one else [inks[fill] == ink for fill in fills]
            themed_runs = done.texts[ink]
            themed_runs.xs += compress(runs.xs, here)
            themed_runs.ys += compress(runs.ys, here)
            themed_runs.texts += compress(runs.texts, here)
    return done


def _of_cells(page: Page) -> set[str]:
    """The fills of cells, where all texts on cells say which they stand on: others need no cells.

    No label lies on a cell; that is seen to where pages are laid out.
    """
    fills: set[str] = set()
    for runs in page.texts.values():
        if runs.fills and len(runs.fills) < len(runs.texts):
            return set()
        fills.update(runs.fills)
    return fills


def card_of(theme: Theme) -> str:
    """The colour of the card in a theme."""
    if theme == "light":
        return palette.CARD
    return DARK_CARD if theme == "dark" else _both(palette.CARD, DARK_CARD)


def box_in(theme: Theme, look: Paint) -> Paint:
    """One box in the colours of a theme."""
    return look if theme == "light" else _box_in(theme, look)


def text_in(theme: Theme, ink: str, look: Paint) -> str:
    """The ink of a text on a box in the colours of a theme; both are those of the white card."""
    return ink if theme == "light" else _pick_in(theme)(ink, ink_on(ink, box_on_card(look).fill))


@lru_cache(maxsize=512)
def box_on_card(look: Paint) -> Paint:
    """How a box looks on the dark card."""
    fill = fill_on_card(look.fill)
    kept = fill == look.fill
    hatch = look.hatch if not look.hatch or kept else fill_on_card(look.hatch)
    stroke = on_card(look.stroke, LINE)
    # A box that stands out from the card needs lines between it and the next alone; what has the
    # card's colour keeps it.
    stands_out = fill != palette.NO_FILL and contrast(fill, DARK_CARD) >= LINE
    if look.stroke == palette.CARD or (stands_out and _is_grey(look.stroke)):
        stroke = DARK_CARD
    return look._replace(fill=fill, hatch=hatch, stroke=stroke)


@lru_cache(maxsize=512)
def fill_on_card(fill: str) -> str:
    """A fill on the dark card: strong colours stay, pale ones become deep, greys turn round."""
    if fill == palette.NO_FILL or fill in palette.FILLS:
        return fill
    if _is_grey(fill):
        return _turned(fill)
    channels = _channels(fill)
    white = min(channels) / 255
    if white <= _PALE:
        return fill
    base = int(DARK_CARD[1:3], 16) + 255 * 0.2 * (1 - white)
    return _hex(base + channel - min(channels) for channel in channels)


@lru_cache(maxsize=512)
def on_card(colour: str, least: float) -> str:
    """The colour of a line or a text on the dark card, with so much contrast at least."""
    return _lightened(_turned(colour) if _is_grey(colour) else colour, DARK_CARD, least)


@lru_cache(maxsize=512)
def ink_on(ink: str, fill: str) -> str:
    """The colour of text on a fill of the dark theme; on the card where there is no fill.

    >>> ink_on("#1A1A1A", ""), ink_on("#1A1A1A", "#F0E442")
    ('#EAEAEA', '#1A1A1A')
    """
    if not fill:
        return on_card(ink, TEXT)
    if not _is_grey(ink):
        return _lightened(ink, fill, TEXT)
    offered = (ink, _turned(ink), "#FFFFFF", "#000000")
    # White or black is read on any fill there is.
    return next(each for each in offered if contrast(each, fill) >= TEXT)


@lru_cache(maxsize=4096)
def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).

    >>> round(contrast("#FFFFFF", "#000000"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


class _Ground:
    """What lies under a place on a page, in the dark theme's colours; without some fills."""

    def __init__(self, page: Page, without: Collection[str] = ()) -> None:
        # Large pages have hundreds of boxes, and as many texts to find them.
        buckets: dict[tuple[float, float], list[tuple[float, float, float, float, str]]]
        self._buckets = buckets = defaultdict(list)
        for looks in (page.boxes, page.over):
            for look, boxes in looks.items():
                if look.fill == palette.NO_FILL or look.fill in without:
                    continue
                fill = box_on_card(look).fill
                for x, y, width, height in boxes:
                    right, bottom = x + width, y + height
                    box = (x, y, right, bottom, fill)
                    first, last = x // _BUCKET, right // _BUCKET
                    low, high = y // _BUCKET, bottom // _BUCKET
                    if first == last and low == high:
                        buckets[first, low].append(box)
                        continue
                    for column in range(int(first), int(last) + 1):
                        for row in range(int(low), int(high) + 1):
                            buckets[column, row].append(box)

    def at(self, x: float, y: float) -> str:
        """The fill of the topmost box there; empty for the card."""
        for x0, y0, x1, y1, fill in reversed(self._buckets.get((x // _BUCKET, y // _BUCKET), ())):
            if x0 <= x <= x1 and y0 <= y <= y1:
                return fill
        return ""

    def under(self, font: Font, runs: Runs) -> list[str]:
        """What lies under the middle of each text in a font."""
        if not self._buckets:
            return [""] * len(runs.texts)
        turn = {"start": 0.5, "middle": 0.0, "end": -0.5}[font.anchor]
        if not turn:
            return [*map(self.at, runs.xs, runs.ys)]
        widths = (
            text_width(text, font.size, mono=font.mono, bold=font.bold) for text in runs.texts
        )
        middles = [x + turn * width for x, width in zip(runs.xs, widths, strict=True)]
        return [*map(self.at, middles, runs.ys)]


def _dark(_light: str, dark: str) -> str:
    return dark


def _both(light: str, dark: str) -> str:
    return light if light == dark else f"{light}{OR}{dark}"


def _pick_in(theme: Theme) -> Callable[[str, str], str]:
    return _dark if theme == "dark" else _both


@lru_cache(maxsize=512)
def _box_in(theme: Theme, look: Paint) -> Paint:
    pick = _pick_in(theme)
    dark = box_on_card(look)
    return look._replace(
        fill=pick(look.fill, dark.fill),
        hatch=pick(look.hatch, dark.hatch),
        stroke=pick(look.stroke, dark.stroke),
    )


@lru_cache(maxsize=512)
def _pen_in(theme: Theme, pen: Pen) -> Pen:
    return pen._replace(colour=_pick_in(theme)(pen.colour, on_card(pen.colour, LINE)))


@lru_cache(maxsize=512)
def _font_on(font: Font, fill: str, theme: Theme) -> Font:
    """A font on a fill of the dark theme, or on the card where there is none."""
    pick = _pick_in(theme)
    halo = pick(font.halo, fill or fill_on_card(font.halo)) if font.halo else ""
    return font._replace(ink=pick(font.ink, ink_on(font.ink, fill)), halo=halo)


def _extend(mine: Boxes, theirs: Boxes) -> None:
    mine.xs += theirs.xs
    mine.ys += theirs.ys
    mine.widths += theirs.widths
    mine.heights += theirs.heights


def _middle(points: tuple[Point, ...]) -> Point:
    return (
        sum(x for x, _ in points) / len(points),
        sum(y for _, y in points) / len(points),
    )


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _hex(channels: Iterator[float]) -> str:
    return "#" + "".join(f"{min(max(round(channel), 0), 255):02X}" for channel in channels)


def _is_grey(colour: str) -> bool:
    if colour == palette.NO_FILL:
        return False
    channels = _channels(colour)
    return max(channels) - min(channels) < 12


def _turned(grey: str) -> str:
    """A grey of the white card as one of the dark card: white is the card, ink is ink."""
    card = int(DARK_CARD[1:3], 16)
    step = (_LIGHTEST - card) / (255 - _DARKEST)
    level = card + (255 - sum(_channels(grey)) / 3) * step
    return _hex(iter([level] * 3))


def _lightened(colour: str, ground: str, least: float) -> str:
    """The colour with just so much white in it that it stands out from what it is on."""
    white = 0.0
    mixed = colour
    while contrast(mixed, ground) < least and white < 1:
        white += 0.05
        mixed = _hex(channel + (255 - channel) * white for channel in _channels(colour))
    return mixed


@lru_cache(maxsize=4096)
def _luminance(colour: str) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
