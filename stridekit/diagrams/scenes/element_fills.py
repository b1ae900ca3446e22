"""Fills of several storages, where each element has its own: a copy shows which one came whence."""

from collections.abc import Sequence

from stridekit.diagrams.scenes.elision import CELLS
from stridekit.diagrams.scenes.fills import Fills, Listed
from stridekit.diagrams.scenes.memory import Member
from stridekit.diagrams.scenes.palettes import CARRIED_WORDS, ELEMENT, ColourBy, Palette, choose
from stridekit.tensors.interop import Value


def choose_all(
    groups: Sequence[Sequence[Member]], colour_by: ColourBy, palette: Palette | None
) -> list[Fills]:
    """The fills of sections. Where each element has its own, a copy's elements bring theirs along.

    A copy has the same elements in reading order, or each of them somewhere if no two are equal.
    """
    fills = [choose(members, colour_by, palette) for members in groups]
    if colour_by != ELEMENT:
        return fills
    seen = [(member, fills[0]) for member in groups[0]]
    for number, members in enumerate(groups[1:], 1):
        found = (brought(old, rule, member) for member in members for old, rule in seen)
        fills[number] = next(filter(None, found), fills[number])
        seen += [(member, fills[number]) for member in members]
    return fills


def brought(old: Member, fills: Fills, new: Member, words: str = CARRIED_WORDS) -> Fills | None:
    """A copy's fills; None for what is no copy, or not shown whole."""
    one, other = old.subject, new.subject
    n = one.layout.numel
    if not 1 < n == other.layout.numel <= CELLS or one.span + other.span > 2:
        return None
    if not (one.readable and other.readable) or one.distant or other.distant:
        return None
    sources, targets = [*one.layout.positions()], [*other.layout.positions()]
    mine, theirs = _told(one.read(sources)), _told(other.read(targets))
    if mine != theirs:
        place = dict(zip(mine, sources, strict=True))
        if len(place) < n or {*theirs} != {*mine}:
            return None
        sources = [place[value] for value in theirs]
    group_at = fills.rule.reader()
    pairs = zip(targets, sources, strict=True)
    groups = tuple((new.byte(end), group_at(old.byte(start))) for end, start in pairs)
    return Fills(Listed(groups, new.unit), None, words)


def _told(values: Sequence[Value]) -> list[Value]:
    """Values that can be compared: what is not a number is equal to itself here."""
    return [value if value == value else "nan" for value in values]
