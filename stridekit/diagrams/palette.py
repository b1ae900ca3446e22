"""Colours, and the hatches that carry the same meaning for those who do not see colour.

The fills are those of Okabe and Ito, in an order whose first five stay apart under deutan,
protan and tritan vision. From the sixth group on the fills repeat with a hatch.
"""

FILLS = ("#0072B2", "#D55E00", "#F0E442", "#56B4E9", "#CC79A7", "#E69F00", "#009E73")
HATCHED_FROM = 5
CARD = "#FFFFFF"
INK = "#1A1A1A"
MUTED = "#595959"
STROKE = "#333333"
UNREACHED = "#E6E6E6"
UNREACHED_HATCH = "#C4C4C4"


def fill(group: int | None) -> str:
    """The fill of an address group; of storage that no tensor reaches for None."""
    return UNREACHED if group is None else FILLS[group % len(FILLS)]


def is_hatched(group: int | None) -> bool:
    """Whether the fill needs its hatch to be told apart."""
    return group is None or group >= HATCHED_FROM


def hatch(fill: str) -> str:
    """The colour of the hatch on a fill: to be seen, and yet to be read through."""
    if fill == UNREACHED:
        return UNREACHED_HATCH
    return _mixed(fill, "#000000" if fill == FILLS[0] else CARD, 0.4)


def _mixed(colour: str, other: str, share: float) -> str:
    channels = (
        round(int(colour[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02X}" for channel in channels)


def text_on(group: int | None) -> str:
    """The colour of text on that fill."""
    if group is None:
        return MUTED
    return CARD if fill(group) == FILLS[0] else INK
