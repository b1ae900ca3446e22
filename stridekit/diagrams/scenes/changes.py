"""Before and after: what an operation does to a header, to a storage, or to both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from stridekit.diagrams.scenes.arguments import same, sources_of, subjects_of, with_names
from stridekit.diagrams.scenes.captions import alt_text, count, told_of, value_text
from stridekit.diagrams.scenes.colouring import Palette, carried, choose, colour_by_of, palette_of
from stridekit.diagrams.scenes.compose import (
    Named,
    Options,
    SectionExtras,
    brought,
    compose,
    compose_section,
    letters_of,
    on_memories,
)
from stridekit.diagrams.scenes.fills import Carried, Fills
from stridekit.diagrams.scenes.memory import SectionMember, by_storage, fetched
from stridekit.diagrams.scenes.scene import Change, Move, Scene, Section, Slot
from stridekit.errors import ArgumentError
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import named_subjects_of

Groups = Sequence[Sequence[SectionMember]]

VALUE_WORDS = "a value keeps its colour"
VALUE_NOTE = (
    "The same values lie in another order, in a storage of their own: each keeps its colour."
)
# More arrows than this are a tangle.
MOVES_MOST = 64


def change(
    tensors: Mapping[str, object],
    act: Callable[..., object],
    options: Options,
    dims: object = None,
    color_by: object = None,
) -> Scene:
    """The scene of tensors before and after `act(*tensors)`, which is carried out for real.

    What `act` returns is shown after; the tensors themselves, if it returns None. `dims` names the
    dims of the first one, and colours go by `color_by`, one of them.
    """
    call = options.call
    before = subjects_of(call, [*tensors.items()])
    before = with_names(call, dims, sources_of([*tensors.items()], before), before)
    options = options._replace(colour_by=colour_by_of(call, color_by, before[0][1]))
    before = fetched(before, lambda near: _snapshot(near, options))
    earlier = _snapshot(before, options)
    result = act(*tensors.values())
    results = _results(call, result, tensors)
    after = subjects_of(call, results)
    after = with_names(call, None, sources_of(results, after), after)
    after = [*_named_as(before, after)]
    after = fetched(after, lambda near: _sections(near, options, "after", earlier))
    if len(before) == len(after) == 1:
        scene = _of_one(before[0], after[0], earlier, options, same=_is_one_of(result, tensors))
        told = [note for note in told_of([before[0][1], after[0][1]]) if note not in scene.notes]
        return scene._replace(notes=(*scene.notes, *told), alt=" ".join([scene.alt, *told]))
    later, groups, fills = _sections(after, options, "after", earlier)
    both = (*earlier.groups, *groups)
    sections = _lettered(on_memories((*earlier.sections, *later), both), both)
    seen = palette_of(zip(groups, fills, strict=True)).after(earlier.palette)
    alts = _alts(earlier.groups, groups)
    notes = told_of(subject for _, subject in (*before, *after))
    scene = _scene(sections, options, [*alts, *notes], seen, notes)
    # Only then do sections and grids stand beside each other, before and after.
    same_ones = _is_one_of(result, tensors) and len(earlier.sections) == len(later)
    return scene._replace(change="write") if same_ones else scene


class _Earlier:
    """What was seen before: sections, fills, and the bytes of each shown slot."""

    def __init__(
        self,
        sections: tuple[Section, ...],
        members: list[list[SectionMember]],
        fills: list[Fills],
        known: Palette | None,
    ) -> None:
        self.sections, self.groups = sections, members
        self.fills = fills[0]
        self.palette = palette_of(zip(members, fills, strict=True)).after(known)
        self.bytes_at: dict[int, bytes] = {}
        for section, group in zip(sections, members, strict=True):
            start = group[0].subject.storage_address - group[0].shift
            for address, value in _slot_bytes(section, group):
                self.bytes_at[start + address] = value


def _slot_bytes(section: Section, group: list[SectionMember]) -> list[tuple[int, bytes]]:
    """The bytes in the shown slots of a section that lie in its first tensor's storage."""
    member, unit = group[0], section.strips[0].unit
    if not member.subject.readable:
        return []
    starts = [
        slot.address * unit
        for slot in section.strips[0].slots
        if isinstance(slot, Slot) and member.shift <= slot.address * unit < member.end
    ]
    places = [start - member.shift + i for start in starts for i in range(unit)]
    values = member.subject.read_bytes(places) if places else b""
    return [(start, values[i * unit : (i + 1) * unit]) for i, start in enumerate(starts)]


def _snapshot(named: Named, options: Options) -> _Earlier:
    groups = by_storage(named)
    fills = [choose(members, options.colour_by, options.palette) for members in groups]
    sections = tuple(
        compose_section(
            members, options, SectionExtras(its_fills), label="before" if number == 0 else ""
        )
        for number, (members, its_fills) in enumerate(zip(groups, fills, strict=True))
    )
    return _Earlier(sections, groups, fills, options.palette)


def _sections(
    named: Named, options: Options, label: str, earlier: _Earlier
) -> tuple[list[Section], list[list[SectionMember]], list[Fills]]:
    """The tensors now, with what has changed since marked, on their memories, and their fills."""
    sections, groups = [], by_storage(named)
    # An element keeps its fill.
    fills = [choose(members, None, earlier.palette) for members in groups]
    for number, (members, its_fills) in enumerate(zip(groups, fills, strict=True)):
        mine = label if number == 0 else ""
        extra = SectionExtras(its_fills)
        changed = _changed(compose_section(members, options, extra), members, earlier)
        extra = extra._replace(changed=changed)
        sections.append(compose_section(members, options, extra, label=mine))
    return sections, groups, fills


def _named_as(before: Named, after: Named) -> Named:
    """The tensors after, with the names that their dims had before, if they have no others."""
    found = []
    for name, subject in after:
        names = subject.names or next(
            filter(None, (same(old, old.names, subject) for _, old in before if old.names)), ()
        )
        found.append((name, replace(subject, names=names) if names else subject))
    return found


def _lettered(sections: Sequence[Section], groups: Groups) -> tuple[Section, ...]:
    """The sections, with a letter for each memory, where there are several."""
    return tuple(
        section._replace(
            storage=letter,
            strips=tuple(
                strip._replace(title=strip.title.replace("storage", f"storage {letter}", 1))
                for strip in section.strips
            ),
        )
        if letter
        else section
        for section, letter in zip(sections, letters_of(groups), strict=True)
    )


def _changed(
    section: Section, members: list[SectionMember], earlier: _Earlier, moved: int = 0
) -> frozenset[int]:
    """The bytes where slots that were shown before hold something else now.

    `moved` is how far the storage has moved since, in bytes.
    """
    start = members[0].subject.storage_address - members[0].shift - moved
    return frozenset(
        address
        for address, value in _slot_bytes(section, members)
        if earlier.bytes_at.get(start + address, value) != value
    )


def _of_one(
    before: tuple[str, Subject],
    after: tuple[str, Subject],
    earlier: _Earlier,
    options: Options,
    *,
    same: bool,
) -> Scene:
    """One tensor becomes one: by another header, by a write, or by a copy."""
    old, new = before[1], after[1]
    one_storage = len(by_storage([before, after])) == 1
    if not same and not one_storage:
        return _copied(before, after, earlier, options)
    members = [SectionMember(after[0], new, 0)]
    # A storage that grows in place may move; a NumPy array may begin in the middle of one.
    apart = new.storage_address - old.storage_address
    moved, fills = (apart, earlier.fills) if same else (0, earlier.fills.seen_from(apart))
    plain = compose_section(members, options, SectionExtras(fills), label="after")
    changed = _changed(plain, members, earlier, moved)
    if changed or (same and old.storage_length != new.storage_length):
        extra = SectionExtras(fills, changed)
        section = compose_section(members, options, extra, label="after")
        # One storage, even if it has moved.
        alts = [*_alts(earlier.groups, []), *_alts([], [members])][::3]
        seen = palette_of([(members, fills)]).after(earlier.palette)
        section = section._replace(start=apart - moved)
        scene = _scene((*earlier.sections, section), options, alts, seen)
        resized = old.storage_length != new.storage_length
        return scene._replace(change="resize" if resized else "write")
    done: Change = "header"
    if same and old.layout == new.layout:
        done = ""
        scene = compose((before,), options)
        note = "The very same tensor comes back: nothing is copied, nothing changes."
    else:
        scene = compose((("before", old), ("after", new)), options)
        note = "Another header over the same storage: in memory, nothing has moved."
    return scene._replace(notes=(note, *scene.notes), alt=f"{note} {scene.alt}", change=done)


def _copied(
    before: tuple[str, Subject], after: tuple[str, Subject], earlier: _Earlier, options: Options
) -> Scene:
    """A copy: two storages, and which element went where, if it did so unchanged."""
    old, new = before[1], after[1]
    member = SectionMember(after[0], new, 0)
    known = earlier.palette.known[0]
    carrying = carried(earlier.fills.rule, known, member)
    assert isinstance(carrying.rule, Carried)
    source_of = carrying.rule.source
    groups = (earlier.groups[0], [member])
    own = choose([member], None, None)
    plain = compose_section([member], options, SectionExtras(own), label="after")
    positions = [
        slot.address
        for slot in plain.strips[0].slots
        if isinstance(slot, Slot) and slot.group is not None
    ]
    sources = [source_of(position) for position in positions]
    alts = _alts(*([group] for group in groups))
    if options.bytes or not _went_unchanged(old, new, sources, positions):
        # A copy in another order, as heads are merged, or numbers that were worked out.
        followed = brought(groups[0][0], earlier.fills, member, VALUE_WORDS)
        told: tuple[str, ...] = ()
        if followed and not options.bytes:
            own, told = followed, (VALUE_NOTE,)
            plain = compose_section([member], options, SectionExtras(own), label="after")
        sections = _lettered(on_memories((*earlier.sections, plain), groups), groups)
        seen = palette_of([([member], own)]).after(earlier.palette)
        return _scene(_renamed(sections), options, [*told, *alts], seen, told)
    section = compose_section(
        [member], options, SectionExtras(carrying), label="after", strip_first=True
    )
    shown = {slot.address for slot in earlier.sections[0].strips[0].slots if isinstance(slot, Slot)}
    moves = tuple(
        Move(source, position)
        for source, position in zip(sources, positions, strict=True)
        if source in shown
    )
    note = (
        f"{count(new.layout.numel, 'element')} copied to a storage of "
        f"{'its' if new.layout.numel == 1 else 'their'} own."
    )
    both = on_memories((*earlier.sections, section), groups)
    sections = _renamed(_lettered(both, groups))
    seen = palette_of([([member], carrying)]).after(earlier.palette)
    scene = _scene(sections, options, [note, *alts], seen, (note,))
    return scene._replace(moves=moves if len(moves) <= MOVES_MOST else (), change="copy")


def _renamed(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections; the last one's storage is called a new one."""
    *others, last = sections
    first, *more = last.strips
    title = first.title.replace("storage", "new storage", 1)
    return *others, last._replace(strips=(first._replace(title=title), *more))


def _went_unchanged(
    old: Subject, new: Subject, sources: Sequence[int | None], positions: Sequence[int]
) -> bool:
    found = [source for source in sources if source is not None]
    if not found or len(found) != len(positions) or not (old.readable and new.readable):
        return False
    were = map(value_text, old.read(found))
    return all(a == b for a, b in zip(were, map(value_text, new.read(positions)), strict=True))


def _results(call: str, result: object, tensors: Mapping[str, object]) -> list[tuple[str, object]]:
    """What there is to show after: what came back, or the tensors again."""
    if _is_one_of(result, tensors):
        return [*tensors.items()]
    if isinstance(result, Mapping):
        return [(str(name), tensor) for name, tensor in result.items()]
    if isinstance(result, tuple | list) and result:
        return [(f"result {number}", tensor) for number, tensor in enumerate(result)]
    try:
        named_subjects_of(call, "", result)
    except ArgumentError:
        raise ArgumentError(
            f"{call}: the change gave a {type(result).__name__}. Let it return the tensor to show, "
            "or change its argument in place and return None."
        ) from None
    return [("result" if any(tensors) else "", result)]


def _is_one_of(result: object, tensors: Mapping[str, object]) -> bool:
    return result is None or any(result is tensor for tensor in tensors.values())


def _alts(before: Groups, after: Groups) -> list[str]:
    """What was there before and after, in sentences, with the letters of several storages."""
    letters = iter(letters_of((*before, *after)))
    return [
        f"{when}: "
        + " ".join(
            alt_text(member.name, member.subject, [], letter)
            for members, letter in zip(groups, letters, strict=False)
            for member in members
        )
        for when, groups in (("Before", before), ("After", after))
    ]


def _scene(
    sections: tuple[Section, ...],
    options: Options,
    alts: list[str],
    seen: Palette,
    notes: tuple[str, ...] = (),
) -> Scene:
    return Scene(options.title, sections, (), notes, " ".join(alts), seen, options.values)
