"""A page's colours on a dark card: worked out from those on the white one, when it is painted.

Fills keep their colour, so a picture means the same in both themes. What is white or grey is
turned round, what is pale becomes deep, and what is written or drawn in a colour is lightened
until it can be read: text has a contrast of 4.5 to 1 at least with what it stands on, a line of 3
to 1 (WCAG 2.2, 1.4.3 and 1.4.11).
"""

from functools import lru_cache
from typing import Final, Literal, get_args

from stridekit.diagrams.pages import colours
from stridekit.diagrams.pages.colours import Paint, channels_of, colour_of, contrast, mixed
from stridekit.diagrams.pages.page import Font, Page
from stridekit.errors import ArgumentError, quoted

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
# Shapes that bring their own rim.
_KEPT = (colours.CORNER, colours.CORNER_RIM)


def checked(call: str, theme: object, known: tuple[str, ...] = THEMES) -> None:
    """Raise ArgumentError for a theme that there is not.

    >>> checked("svg", "dark")
    """
    if not isinstance(theme, str) or theme not in known:
        raise ArgumentError(
            f"{call}: there is no theme {quoted(theme)}. "
            f"Choose {', '.join(known[:-1])} or {known[-1]}."
        )


def themed(page: Page, theme: Theme) -> Page:
    """The page in the colours of a theme.

    With "auto" each colour that differs is both, the light one first: `#FFFFFF|#111111`.
    """
    if theme == "light":
        return page
    # Pixels mean what they show.
    done = Page(page.width, page.height, images=page.images)
    for name in ("boxes", "lines", "curves", "over"):
        for paint, things in getattr(page, name).items():
            getattr(done, name)[paint_in(theme, paint)] += things
    for colour, shapes in page.shapes.items():
        kept = colour in _KEPT
        done.shapes[colour if kept else ink_in(theme, colour, "")] += shapes
    for font, runs in page.texts.items():
        # Hundreds of texts stand on a handful of fills.
        fills = dict.fromkeys(run[3] for run in runs)
        texts = {fill: done.texts[font_in(theme, font, fill)] for fill in fills}
        for run in runs:
            texts[run[3]].append(run)
    return done


def card_of(theme: Theme) -> str:
    """The colour of the card in a theme."""
    return _in(theme, colours.CARD, DARK_CARD)


@lru_cache(maxsize=512)
def paint_in(theme: Theme, look: Paint) -> Paint:
    """A box or a line in the colours of a theme."""
    dark = box_on_card(look)
    return look._replace(
        fill=_in(theme, look.fill, dark.fill),
        hatch=_in(theme, look.hatch, dark.hatch),
        stroke=_in(theme, look.stroke, dark.stroke),
    )


@lru_cache(maxsize=512)
def font_in(theme: Theme, font: Font, fill: str) -> Font:
    """A font on a fill in the colours of a theme; both are those of the white card."""
    halo = font.halo and _in(theme, font.halo, fill_on_card(fill))
    return font._replace(ink=ink_in(theme, font.ink, fill), halo=halo)


def ink_in(theme: Theme, ink: str, fill: str) -> str:
    """The ink of a text on a fill in the colours of a theme; both are those of the white card."""
    return _in(theme, ink, ink_on(ink, fill and fill_on_card(fill)))


def _in(theme: Theme, light: str, dark: str) -> str:
    if theme == "auto" and light != dark:
        return f"{light}{OR}{dark}"
    return light if theme == "light" else dark


# Colours on the dark card.


def box_on_card(look: Paint) -> Paint:
    """How a box or a line looks on the dark card."""
    fill, hatch = fill_on_card(look.fill), look.hatch and fill_on_card(look.hatch)
    stroke = on_card(look.stroke, LINE)
    # A box that stands out from the card needs lines between it and the next alone; what has the
    # card's colour keeps it.
    stands_out = fill != colours.NO_FILL and contrast(fill, DARK_CARD) >= LINE
    if look.stroke == colours.CARD or (stands_out and _is_grey(look.stroke)):
        stroke = DARK_CARD
    return look._replace(fill=fill, hatch=hatch, stroke=stroke)


def fill_on_card(fill: str) -> str:
    """A fill on the dark card: strong colours stay, pale ones become deep, greys turn round."""
    if fill == colours.NO_FILL or fill in colours.FILLS:
        return fill
    if _is_grey(fill):
        return _turned(fill)
    channels = channels_of(fill)
    white = min(channels) / 255
    if white <= _PALE:
        return fill
    base = int(DARK_CARD[1:3], 16) + 255 * 0.2 * (1 - white)
    return colour_of(base + channel - min(channels) for channel in channels)


def on_card(colour: str, least: float) -> str:
    """The colour of a line or a text on the dark card, with so much contrast at least."""
    return _lightened(_turned(colour) if _is_grey(colour) else colour, DARK_CARD, least)


def ink_on(ink: str, fill: str) -> str:
    """The colour of text on a fill of the dark theme; on the card where there is no fill.

    >>> ink_on("#1A1A1A", ""), ink_on("#1A1A1A", "#F0E442")
    ('#EAEAEA', '#1A1A1A')
    """
    if not fill:
        # It may stand on a storage's ground, and these are a little lighter than the card.
        ground = max((fill_on_card(each) for each in colours.GROUNDS[1:]), key=channels_of)
        return _lightened(on_card(ink, TEXT), ground, TEXT)
    if not _is_grey(ink):
        return _lightened(ink, fill, TEXT)
    offered = (ink, _turned(ink), "#FFFFFF", "#000000")
    # White or black is read on any fill there is.
    return next(each for each in offered if contrast(each, fill) >= TEXT)


def _is_grey(colour: str) -> bool:
    channels = channels_of(colour)
    return max(channels) - min(channels) < 12


def _turned(grey: str) -> str:
    """A grey of the white card as one of the dark card: white is the card, ink is ink."""
    card = int(DARK_CARD[1:3], 16)
    step = (_LIGHTEST - card) / (255 - _DARKEST)
    level = card + (255 - sum(channels_of(grey)) / 3) * step
    return colour_of([level] * 3)


def _lightened(colour: str, ground: str, least: float) -> str:
    """The colour with just so much white in it that it stands out from what it is on."""
    white = 0.0
    lighter = colour
    while contrast(lighter, ground) < least and white < 1:
        white += 0.05
        lighter = mixed(colour, "#FFFFFF", white)
    return lighter
