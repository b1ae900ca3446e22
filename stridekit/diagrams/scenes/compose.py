"""Tensors to scenes: what `draw` shows, worked out from headers.

Only the values of shown elements are ever read.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import compress, product

from stridekit.diagrams.scenes.captions import (
    alt_text,
    hop_text,
    number_text,
    places_text,
    sum_text,
    told_of,
    way_text,
)
from stridekit.diagrams.scenes.cells import Options, Touched, Traversal, grid_of
from stridekit.diagrams.scenes.colouring import (
    ELEMENT,
    ColourBy,
    Palette,
    SourceOf,
    bounds,
    carried,
    choose,
    known_of,
    palette_of,
    sources,
    twin,
)
from stridekit.diagrams.scenes.elision import CELLS, shown_elements
from stridekit.diagrams.scenes.fills import Fills
from stridekit.diagrams.scenes.memory import SectionMember, by_storage
from stridekit.diagrams.scenes.scene import Grid, Hop, Outline, Scene, Section
from stridekit.diagrams.scenes.slots import LANES_MOST, Reach, strips_of
from stridekit.layouts.layout import Ints
from stridekit.tensors.interop import Subject, Value

# So many frames may lie in one cell.
NESTED_MOST = 2


def outlined(members: Sequence[SectionMember], grids: Sequence[Grid], reach: Reach) -> list[Grid]:
    """The grids, with the outline of each tensor that is a part of another one.

    It is drawn in the first tensor that it is a part of: one that reaches all that it does, and
    more. As many of the tensors may have outlines as have lanes, for both have a dash of their own.
    """
    found: list[list[Outline]] = [[] for _ in grids]
    shown = [frozenset(cell.address for cell in grid.cells) for grid in grids]
    for number, (member, mine) in enumerate(zip(members[:LANES_MOST], shown, strict=False)):
        unit = member.unit
        for other, cells in enumerate(shown):
            if mine == cells or members[other].unit != unit or len(cells) < 2:
                continue
            if not (mine <= cells or all(reach.counts(other, unit, mine))):
                continue
            inside = frozenset(compress(cells, reach.counts(number, unit, cells)))
            if not inside or inside == cells:
                continue
            covered = Counter(at for outline in found[other] for at in outline.addresses)
            # Frame in frame in frame would cover the values; the lanes tell of the others.
            if max(covered[address] for address in inside) < NESTED_MOST:
                found[other].append(Outline(member.name, number, inside))
            break
    return [grid._replace(outlines=tuple(mine)) for grid, mine in zip(grids, found, strict=True)]


# So many tensors on one storage get a grid.
GRIDS_MOST = 8
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Named = Sequence[tuple[str, Subject]]


def compose(named: Named, options: Options) -> Scene:
    """The scene of some tensors: a section for each storage, in the order of the tensors."""
    groups = by_storage(named)
    first = groups[0][0]
    # All of what is asked is asked of the first section, the same index of its equals.
    size = first.subject.layout.size
    asked = [options]
    for members in groups[1:]:
        select = options.select if members[0].subject.layout.size == size else None
        asked.append(options.of_others()._replace(select=select))
    fills = choose_all(groups, options.colour_by, options.palette)
    sections = on_memories([*map(compose_section, groups, asked, fills)], groups)
    notes = [*told_of([subject for _, subject in named])]
    for members, mine in zip(groups, asked, strict=True):
        if mine.select is not None:
            notes.append(way_text(members[0].name, mine.select, members[0].subject))
    if traversal := Traversal.of(first, options):
        notes.append(traversal.note())
    return Scene(
        options.title,
        sections,
        (),
        tuple(notes),
        # What was asked for comes first.
        " ".join([*notes, *alts_of(groups, sections)]),
        palette_of(zip(groups, fills, strict=True), options.palette),
    )


def alts_of(
    groups: Sequence[Sequence[SectionMember]], sections: Sequence[Section], *, alone: bool = False
) -> list[str]:
    """What each tensor that is drawn is, and what has changed in its storage.

    Unless it is told `alone`, with what it shares.
    """
    told = []
    for members, section in zip(groups, sections, strict=True):
        shown = members[: len(section.grids)]
        more = [f"{section.more_grids:,} more"] if section.more_grids else []
        for member in shown:
            others = [*(each.name for each in shown if each is not member), *more]
            shares = [] if alone else others
            told.append(alt_text(member.name, member.subject, shares, section.storage))
        if changed := [slot.address for slot in section.strips[0].slots if "written" in slot.marks]:
            where = f" in storage {section.storage}" if section.storage else ""
            told.append(f"Changed{where}: {places_text(changed, len(changed))}.")
    return told


def on_memories(
    sections: Sequence[Section], groups: Sequence[Sequence[SectionMember]], *, new: bool = False
) -> tuple[Section, ...]:
    """The sections, with the name of each memory, and from which byte of it on they show it.

    Those that meet are one memory. Where there are several, each has a letter. With `new` the last
    one is called a new one.
    """
    if len(sections) == 1:
        return tuple(sections)
    met: list[tuple[int, int]] = []
    placed = []
    for members in groups:
        start, end = span = bounds(members)
        alike = (n for n, (low, high) in enumerate(met)
                 if low == start or max(low, start) < min(high, end))  # fmt: skip
        number = next(alike, len(met))
        met += [span] * (number == len(met))
        placed.append((number, start - met[number][0]))
    found = []
    for section, (number, start) in zip(sections, placed, strict=True):
        letter = LETTERS[number % len(LETTERS)] + str(number // len(LETTERS) or "")
        letter = letter if len(met) > 1 else ""
        name = f"storage {letter}".rstrip()
        strips = [strip._replace(memory=strip.memory and name) for strip in section.strips]
        if new and section is sections[-1]:
            strips[0] = strips[0]._replace(memory=f"new {name}")
        found.append(
            section._replace(storage=letter, strips=tuple(strips), memory=number, start=start)
        )
    return tuple(found)


def compose_section(
    members: Sequence[SectionMember],
    options: Options,
    fills: Fills,
    *,
    label: str = "",
    changed: frozenset[int] = frozenset(),
) -> Section:
    """One memory: its grids and its strips. What is selected belongs to the first tensor.

    `changed` are bytes that were written.
    """
    first, hops, way = members[0], options.hops, ""
    layout, selected = first.subject.layout, frozenset[int]()
    if options.select is not None:
        hops += select_hops(first, options.select)
        selected = frozenset({first.byte(layout.position(options.select))})
        way = sum_text(options.select, layout)
    written = frozenset(first.byte(layout.position(index)) for index in options.written)
    needed = frozenset(hop.end * first.unit for hop in hops if hop.kind == "needed")
    size = first.subject.element_size
    reached = {byte + i for byte in written for i in range(size)}
    touched = Touched(selected, changed.union(reached))
    # Without memory there are no values: cells say positions.
    asked = options if first.subject.readable else options._replace(values=False)
    shown = len(members) if options.all else GRIDS_MOST
    grids = [
        grid_of(each, asked if each is first else asked.of_others(), touched, fills.group_at)
        for each in members[:shown]
    ]
    beside = written | {place * first.unit for hop in hops for place in (hop.start, hop.end)}
    strips, reach = strips_of(
        members, grids, fills.group_at, asked, needed, touched.written, beside
    )
    if len(members) > 1:
        grids = outlined(members, grids, reach)
    unit = strips[0].unit
    return Section(
        label,
        tuple(grids),
        strips,
        hops,
        more_grids=max(len(members) - shown, 0),
        stretch=fills.stretch and fills.stretch // unit,
        period=fills.period // unit,
        fill_words=fills.words,
        way=way,
        values=asked.values,
    )


def select_hops(member: SectionMember, index: Ints) -> tuple[Hop, ...]:
    """From the offset one hop per dim to an element, in slots of the member's elements."""
    layout, base = member.subject.layout, member.shift // member.unit
    at = base + layout.storage_offset
    hops = [Hop(at, at, f"offset {number_text(layout.storage_offset)}")]
    for i, step in zip(index, layout.stride, strict=True):
        if i * step:
            hops.append(Hop(at, at + i * step, f"+{hop_text(i, step)}"))
            at += i * step
    return tuple(hops)


def choose_all(
    groups: Sequence[Sequence[SectionMember]], colour_by: ColourBy, palette: Palette | None
) -> list[Fills]:
    """The fills of sections: a copy's elements bring theirs along.

    Another layout of the same elements, index by index, is a copy. Where each element has a fill of
    its own, so is what has the same elements in reading order, or each of them somewhere if no two
    are equal.
    """
    fills = [choose(members, colour_by, palette) for members in groups]
    if isinstance(colour_by, int) or palette:
        return fills
    seen = [(member, fills[0]) for member in groups[0]]
    for number, members in enumerate(groups[1:], 1):
        for member, (old, its_fills) in product(members, seen):
            one, other = old.subject.layout, member.subject.layout
            # Equal headers have equal fills anyway.
            if colour_by != ELEMENT and (one.size != other.size or one.stride == other.stride):
                continue
            source_of = came_in_order(old.subject, member.subject)
            if not source_of and colour_by == ELEMENT:
                source_of = came_by_value(old.subject, member.subject)
            if source_of:
                fills[number] = carried(known_of(old, its_fills), member, source_of)
                break
        seen += [(member, fills[number]) for member in members]
    return fills


def came_in_order(old: Subject, new: Subject) -> SourceOf | None:
    """Where the elements of a copy came from, as `sources` says; None for what is not a copy.

    It is one if it has the same values, as far as is shown.
    """
    if not _may_be_copy(old, new):
        return None
    shown = shown_elements(new.layout).elements
    starts = [twin(old.layout, new.layout, element.index) for element in shown]
    is_copy = _told(old.read(starts)) == _told(new.read([element.position for element in shown]))
    return sources(old.layout, new.layout) if is_copy else None


def came_by_value(old: Subject, new: Subject) -> SourceOf | None:
    """Where elements came from that are all there, in any order, and no two of them equal."""
    n = old.layout.numel
    if not _may_be_copy(old, new) or n > CELLS:
        return None
    starts, ends = [*old.layout.positions()], [*new.layout.positions()]
    place = dict(zip(_told(old.read(starts)), starts, strict=True))
    values = _told(new.read(ends))
    if len(place) < n or {*values} != {*place}:
        return None
    return {end: place[value] for end, value in zip(ends, values, strict=True)}.get


def _may_be_copy(old: Subject, new: Subject) -> bool:
    """Whether there are as many elements in both, all of which can be read."""
    are_many = 0 < old.layout.numel == new.layout.numel
    return are_many and old.readable and new.readable and new.span == 1


def _told(values: Sequence[Value]) -> list[Value]:
    """Values that can be compared: what is not a number is equal to itself here."""
    return [value if value == value else "nan" for value in values]
