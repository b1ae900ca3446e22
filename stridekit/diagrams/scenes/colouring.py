"""Colours that are asked for: by a dim, by element, or as an earlier picture had them."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import dim_words, joined
from stridekit.diagrams.scenes.fills import Fills, fills_along, fills_of, fills_of_elements
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.errors import ArgumentError, DimError, quoted
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.whole_numbers import as_int
from stridekit.tensors.interop import Subject

ELEMENT = "element"
CARRIED_WORDS = "an element keeps its colour"

ColourBy = int | str | None
# For a position of a copy, the one that its element came from.
SourceOf = Callable[[int], int | None]


class Known(NamedTuple):
    """A tensor that has been seen with its fills: where its memory began and ended, in bytes.

    `unit` is its itemsize, `shift` where its storage begins in that memory.
    """

    name: str
    start: int
    end: int
    layout: Layout
    unit: int
    shift: int
    fills: Fills


class Palette(NamedTuple):
    """The fills of a picture, to be handed on: `draw(y, palette=picture)`.

    In the same memory an address keeps its fill. In another one, each element has the fill of the
    element with its index, in a tensor of the same size; or of its place in reading order, in one
    of as many elements. It holds no tensors: only where they lay.
    """

    known: tuple[Known, ...] = ()

    def fills_in(self, members: Sequence[SectionMember]) -> Fills | None:
        """The fills of a section, if the palette knows its memory."""
        start, end = bounds(members)
        for each in self.known:
            if max(start, each.start) < min(end, each.end):
                return each.fills.seen_from(start - each.start)
        return None

    def fills_for(self, members: Sequence[SectionMember]) -> Fills | None:
        """The fills of a section, if the palette knows its memory or an equal of its tensors."""
        if found := self.fills_in(members):
            return found
        for member in members:
            layout = member.subject.layout
            alike = [each for each in self.known if each.layout.numel == layout.numel]
            # Of several the one with its name.
            alike.sort(key=lambda each: (each.layout.size != layout.size, each.name != member.name))
            if alike and layout.numel:
                return carried(alike[0], member, sources(alike[0].layout, layout))
        return None


def known_of(member: SectionMember, fills: Fills, start: int = 0, end: int = 0) -> Known:
    """A tensor as it is remembered, in memory that begins and ends at some addresses."""
    return Known(member.name, start, end, member.subject.layout, member.unit, member.shift, fills)


def carried(
    old: Known, new: SectionMember, source_of: SourceOf, words: str = CARRIED_WORDS
) -> Fills:
    """The fills of a copy, whose elements bring theirs along."""
    unit, shift, group_at = new.unit, new.shift, old.fills.group_at

    def group_there(byte: int) -> int:
        source = source_of((byte - shift) // unit)
        return 0 if source is None else group_at(old.shift + source * old.unit)

    return Fills(group_there, None, words)


def sources(old: Layout, new: Layout) -> SourceOf:
    """For a position of a copy, that of its element's twin in what was copied."""

    # A cell asks for it, its slot, and what moves.
    @cache
    def source_of(position: int) -> int | None:
        index = new.index_at(position)
        return None if index is None else twin(old, new, index)

    return source_of


def twin(old: Layout, new: Layout, index: Ints) -> int:
    """Where an element of a copy was: at its index, or where sizes differ at its place in order."""
    if old.size != new.size:
        found = Layout.of(old.size).index_at(Layout.of(new.size).position(index))
        assert found is not None
        index = found
    return old.position(index)


def bounds(members: Sequence[SectionMember]) -> tuple[int, int]:
    """Where a section's memory begins and ends, as addresses of bytes."""
    first = members[0]
    start = first.subject.storage_address - first.shift
    return start, start + max(member.end for member in members)


def palette_of(
    sections: Iterable[tuple[Sequence[SectionMember], Fills]], earlier: Palette | None = None
) -> Palette:
    """What the sections of a picture know of fills, and what an earlier palette knew beside it."""
    known: list[Known] = []
    for members, fills in sections:
        start, end = bounds(members)
        known += [known_of(member, fills, start, end) for member in members]
    # What comes first is found first.
    return Palette((*known, *earlier.known) if earlier else tuple(known))


def choose(members: Sequence[SectionMember], colour_by: ColourBy, palette: Palette | None) -> Fills:
    """The fills of a section: as asked for, if it has what was asked for; else as they come."""
    first = members[0]
    if colour_by == ELEMENT:
        return fills_of_elements(first)
    if isinstance(colour_by, int) and colour_by < first.subject.layout.ndim:
        words = f"each colour: one index of {dim_words(first.subject, colour_by)}"
        whose = f" of {first.name}" if len(members) > 1 else ""
        return fills_along(first, colour_by, words + whose)
    found = palette.fills_for(members) if palette else None
    return found or fills_of(members)


def colour_by_of(call: str, color_by: object, subject: Subject) -> ColourBy:
    """What colours go by: a dim's number, or "element". Raises ArgumentError, DimError.

    >>> from stridekit.tensors.subjects import subject_of
    >>> colour_by_of("draw", -1, subject_of("draw", sk.zeros(2, 3)))
    1
    """
    if color_by is None:
        return None
    ndim, names = subject.layout.ndim, [*filter(None, subject.names)]
    if isinstance(color_by, str):
        if color_by in names:
            return subject.names.index(color_by)
        if color_by == ELEMENT:
            return ELEMENT
    dims = (f"a dim from {-ndim} to {ndim - 1}",) if ndim else ()
    advice = f"Give {joined([*map(repr, names), *dims, repr(ELEMENT)], 'or')}."
    refusal = f"{call}: color_by={quoted(color_by)} is not a dim of the tensor. {advice}"
    try:
        dim = as_int(call, "a dim", color_by, plain=True)  # type: ignore[arg-type]
    except ArgumentError:
        raise ArgumentError(refusal) from None
    if not -ndim <= dim < ndim:
        raise DimError(refusal)
    return dim % ndim


def handed_on(call: str, palette: object, color_by: object) -> Palette | None:
    """The palette of an earlier picture, or that picture's. Raises ArgumentError."""
    if palette is None:
        return None
    found = getattr(palette, "palette", palette)
    if not isinstance(found, Palette):
        raise ArgumentError(
            f"{call}: palette is an earlier diagram, or its .palette, and not of type "
            f"{type(palette).__name__}."
        )
    if color_by is not None:
        raise ArgumentError(
            f"{call}: color_by and palette both say which colours to use. Give one of them."
        )
    return found
