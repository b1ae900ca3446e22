"""Colours, and the hatches and outlines that carry the same meaning without them.

The first fills are five hues of Okabe and Ito, which stay apart under deutan, protan and tritan
vision. The blue and the purple are darker than theirs, the vermilion is lighter, so neighbours
differ in grey too. Seven more follow, all of them strong: a pale fill means the same memory once
more, on either card, and never another group. A hatch means one thing alone: not readable.
"""

from collections.abc import Iterable
from typing import NamedTuple

from stridekit.diagrams.scenes.scene import Marks

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
    """How a box or a line looks: its fill, the colour of its hatch or none, and its stroke.

    A line has no fill. The weight is in pixels, and so are the lengths of a dash.
    """

    fill: str = NO_FILL
    hatch: str = ""
    stroke: str = STROKE
    weight: float = 1
    dash: str = ""


# Laid over a box that is selected: dark, with a light line inside that shows on dark fills.
SELECTED = Paint(stroke=INK, weight=3)
SELECTED_INSIDE = Paint(stroke=CARD)
NO_ELEMENTS = Paint(dash="4 3")
THIN = Paint()
EMPTY = Paint(CARD, stroke=CARD, weight=0)
# Corners that are alike on every fill and card: dark, with a rim that shows where those are dark.
CORNER, CORNER_RIM = "#000000", "#FFFFFF"
PILL = Paint(INK, stroke=INK)
# One per lane: to be told apart by their dashes.
LANES = tuple(Paint(stroke=INK, weight=2, dash=dash) for dash in ("", "6 3", "2 2", "9 3 2 3"))


def look_of(group: int | None, marks: Marks = ()) -> Paint:
    """How a cell of an address group looks in some states. Group None is unreached storage."""
    if "outside" in marks:
        return EMPTY if "needed" in marks else Paint(CARD, "#E8A5A0", ALERT, 1, "3 2")
    if group is None:
        return Paint(UNREACHED, UNREACHED_HATCH)
    fill = fill_of(group)
    if "unwritten" in marks:
        return Paint(mixed(fill, CARD, 0.75), mixed(fill, CARD, 0.4))
    if "ghost" in marks:
        return Paint(mixed(fill, CARD, 0.6), dash="3 2")
    return Paint(fill)


def ground(number: int) -> Paint:
    """What a storage stands on, in a picture of several."""
    return Paint(GROUNDS[number % len(GROUNDS)], stroke=FRAME)


def ink_on(look: Paint) -> str:
    """The colour of text on a box."""
    if look.stroke == ALERT:
        return ALERT
    if look.fill == UNREACHED:
        return MUTED
    # Whichever of black and white is easier to read on the fill.
    return CARD if contrast(CARD, look.fill) > contrast(INK, look.fill) else INK


def fill_of(group: int) -> str:
    """The fill of an address group."""
    return FILLS[group % len(FILLS)]


# From the lowest value of a map to the highest: one hue, which darkens.
LOWEST, HIGHEST = "#E6F1FA", "#08306B"


# Colours as numbers.


def channels_of(colour: str) -> tuple[int, ...]:
    """Red, green and blue, from 0 to 255.

    >>> channels_of("#FF8000")
    (255, 128, 0)
    """
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def colour_of(channels: Iterable[float]) -> str:
    """The colour of three channels.

    >>> colour_of((255, 128, 0))
    '#FF8000'
    """
    return "#" + "".join(f"{min(max(round(channel), 0), 255):02X}" for channel in channels)


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with so much of another one in it."""
    pairs = zip(channels_of(colour), channels_of(other), strict=True)
    return colour_of(one * (1 - share) + two * share for one, two in pairs)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).

    >>> round(contrast("#FFFFFF", "#000000"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1: WCAG's relative luminance."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in channels_of(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
