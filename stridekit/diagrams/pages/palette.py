"""Colours, and the hatches and outlines that carry the same meaning without them.

The first fills are five hues of Okabe and Ito, which stay apart under deutan, protan and tritan
vision. The blue and the purple are darker than theirs, the vermilion is lighter, so neighbours
differ in grey too. Seven more follow, all of them strong: a pale fill means the same memory once
more, on either card, and never another group. A hatch means one thing alone: not readable.
"""

from functools import lru_cache
from typing import NamedTuple

HUES = ("#005A94", "#DD6B10", "#F0E442", "#56B4E9", "#A06088")
# Far from each other, from all pale forms, and from the alert. Dark and light take turns, so that
# neighbours differ in grey; the first follows the last, where the colours come round again.
FILLS = (*HUES, "#73BF4D", "#A200F2", "#2BD99F", "#007326", "#F2A200", "#A64253", "#9D72F4")
CARD = "#FFFFFF"
INK = "#1A1A1A"
MUTED = "#595959"
STROKE = "#333333"
ALERT = "#B3261E"
UNREACHED = "#F2F2F2"
# Where a picture has several storages, each stands on a ground of its own, framed.
GROUNDS = ("#FFFFFF", "#EDF2F7", "#F7F0E6", "#F1EDF6")
FRAME = "#A6B1BD"
UNREACHED_HATCH = "#ADADAD"
NO_FILL = "none"


class Paint(NamedTuple):
    """How a box looks: its fill, the colour of its hatch or none, and its outline.

    `lines` says which way the hatch goes, "/" or its mirror image.
    """

    fill: str
    hatch: str = ""
    lines: str = ""
    stroke: str = STROKE
    weight: float = 1
    dash: str = ""


class Pen(NamedTuple):
    """How a line looks. The weight is in pixels, and so are the lengths of a dash."""

    colour: str = STROKE
    weight: float = 1
    dash: str = ""


# Laid over a box that is selected: dark, with a light line inside that shows on dark fills.
SELECTED = Paint(NO_FILL, stroke=INK, weight=3)
SELECTED_INSIDE = Paint(NO_FILL, stroke=CARD, weight=1)
NO_ELEMENTS = Paint(NO_FILL, dash="4 3")
EMPTY = Paint(CARD, stroke=CARD, weight=0)
# Corners that are alike on every fill and card: dark, with a rim that shows where those are dark.
CORNER, CORNER_RIM = "#000000", "#FFFFFF"
PILL = Paint(INK, stroke=INK)
# One per lane: to be told apart by their dashes.
LANES = (
    Pen(INK, 2),
    Pen(INK, 2, "6 3"),
    Pen(INK, 2, "2 2"),
    Pen(INK, 2, "9 3 2 3"),
)


@lru_cache(maxsize=512)
def paint(group: int | None, *, ghost: bool, unwritten: bool, outside: bool) -> Paint:
    """The look of a cell of an address group, in some states. Group None is unreached storage."""
    if outside:
        return Paint(CARD, "#E8A5A0", "/", ALERT, 1, "3 2")
    if group is None:
        return Paint(UNREACHED, UNREACHED_HATCH, "/")
    fill = fill_of(group)
    if unwritten:
        return Paint(_mixed(fill, CARD, 0.75), _mixed(fill, CARD, 0.4), "/")
    if ghost:
        return Paint(_mixed(fill, CARD, 0.6), dash="3 2")
    return Paint(fill)


def ground(number: int) -> Paint:
    """What a storage stands on, in a picture of several."""
    return Paint(GROUNDS[number % len(GROUNDS)], stroke=FRAME)


def ink_on(look: Paint) -> str:
    """The colour of text on a box."""
    if look.stroke == ALERT:
        return ALERT
    return MUTED if look.fill == UNREACHED else _ink_on(look.fill)


@lru_cache(maxsize=64)
def _ink_on(fill: str) -> str:
    """Whichever of black and white is easier to read on a fill."""
    bright = brightness(fill) + 0.05
    return CARD if (1 + 0.05) / bright > bright / (brightness(INK) + 0.05) else INK


@lru_cache(maxsize=64)
def brightness(colour: str) -> float:
    """How bright a colour is, from 0 to 1: WCAG's relative luminance."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def halo_on(look: Paint) -> str:
    """The colour of a rim around text on a hatch; none on a plain box."""
    return look.fill if look.hatch else ""


def fill_of(group: int) -> str:
    """The fill of an address group."""
    return FILLS[group % len(FILLS)]


def _mixed(colour: str, other: str, share: float) -> str:
    channels = (
        round(int(colour[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in channels)
