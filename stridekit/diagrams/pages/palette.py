"""Colours, and the hatches and outlines that carry the same meaning without them.

The fills are those of Okabe and Ito, in an order whose first five stay apart under deutan,
protan and tritan vision. From the sixth group on fills have a hatch, which turns each time that
the colours come round again.
"""

from functools import lru_cache
from typing import NamedTuple

FILLS = ("#0072B2", "#D55E00", "#F0E442", "#56B4E9", "#CC79A7", "#E69F00", "#009E73")
PLAIN = 5
# Lines this way, that way, and both.
HATCHES = ("/", "\\", "x")
CARD = "#FFFFFF"
INK = "#1A1A1A"
MUTED = "#595959"
STROKE = "#333333"
ALERT = "#B3261E"
UNREACHED = "#E6E6E6"
UNREACHED_HATCH = "#CFCFCF"
NO_FILL = "none"


class Paint(NamedTuple):
    """How a box looks: its fill, the colour of its hatch or none, and its outline.

    `lines` says which way the hatch goes, as one of HATCHES.
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
NEEDED = Paint(NO_FILL, stroke=ALERT, weight=2, dash="5 3")
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
    fill = FILLS[group % len(FILLS)]
    turn = (group - PLAIN + len(FILLS)) // len(FILLS)
    lines = HATCHES[(turn - 1) % len(HATCHES)] if turn else ""
    if unwritten:
        return Paint(_mixed(fill, CARD, 0.75), _mixed(fill, CARD, 0.4), "/")
    if ghost:
        light = _mixed(fill, CARD, 0.6)
        return Paint(light, _mixed(fill, CARD, 0.35) if lines else "", lines, dash="3 2")
    return Paint(fill, _hatch(fill) if lines else "", lines)


def is_hatched(group: int | None) -> bool:
    """Whether the fill of a group has a hatch, because there are more groups than fills."""
    return group is not None and group >= PLAIN


def ink_on(look: Paint) -> str:
    """The colour of text on a box."""
    if look.stroke == ALERT:
        return ALERT
    if look.fill == UNREACHED:
        return MUTED
    return CARD if look.fill == FILLS[0] else INK


def halo_on(look: Paint) -> str:
    """The colour of a rim around text on stripes; none on a plain box."""
    return look.fill if look.hatch else ""


def line_colour(group: int) -> str:
    """The colour of a line that stands for an element of a group."""
    return FILLS[group % len(FILLS)]


def _hatch(fill: str) -> str:
    """The colour of the hatch on a fill: to be seen, and yet to be read through."""
    light = fill in (FILLS[2], FILLS[3])
    return (
        _mixed(fill, "#000000", 0.2 if light else 0.3)
        if light or fill == FILLS[0]
        else _mixed(fill, CARD, 0.35)
    )


def _mixed(colour: str, other: str, share: float) -> str:
    channels = (
        round(int(colour[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in channels)
