"""Before and after: what an operation does to a header, to a storage, or to both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from stridekit.diagrams.scenes.arguments import same, sources_of, subjects_of, with_names
from stridekit.diagrams.scenes.captions import alt_text, count, told_of, value_text
from stridekit.diagrams.scenes.colouring import (
    Palette,
    carried,
    choose,
    colour_by_of,
    palette_of,
    sources,
)
from stridekit.diagrams.scenes.compose import (
    Named,
    Options,
    brought,
    compose,
    compose_section,
    letters_of,
    on_memories,
)
from stridekit.diagrams.scenes.fills import Fills
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
    before = fetched(before, lambda near: _look(near, options))
    earlier = _look(before, options)
    result = act(*tensors.values())
    results = _results(call, result, tensors)
    after = subjects_of(call, results)
    after = with_names(call, None, sources_of(results, after), after)
    after = [*_named_as(before, after)]
    after = fetched(after, lambda near: _look(near, options, earlier))
    same_ones = _is_one_of(result, tensors)
    if len(before) == len(after) == 1:
        scene = _of_one(before[0], after[0], earlier, options, same=same_ones)
        told = [note for note in told_of([before[0][1], after[0][1]]) if note not in scene.notes]
        return scene._replace(notes=(*scene.notes, *told), alt=" ".join([scene.alt, *told]))
    later = _look(after, options, earlier)
    groups = (*earlier.groups, *later.groups)
    sections = on_memories((*earlier.sections, *later.sections), groups)
    notes = told_of(subject for _, subject in (*before, *after))
    alts = [*_alts(earlier.groups, later.groups, letters_of(groups)), *notes]
    scene = _scene(_lettered(sections, groups), options, alts, later.palette, notes)
    # Only then do sections and grids stand beside each other, before and after.
    paired = same_ones and len(earlier.sections) == len(later.sections)
    return scene._replace(change="write") if paired else scene


class _Look(NamedTuple):
    """What is seen at one time: sections, what is in each, fills, the bytes of each shown slot."""

    sections: tuple[Section, ...]
    groups: list[list[SectionMember]]
    fills: list[Fills]
    palette: Palette
    bytes_at: dict[int, bytes]


def _look(named: Named, options: Options, earlier: _Look | None = None) -> _Look:
    """The tensors now; what has changed since an earlier look is marked, and keeps its fills."""
    groups = by_storage(named)
    colour_by, known = options.colour_by, options.palette
    if earlier:
        colour_by, known = None, earlier.palette
    fills = [choose(members, colour_by, known) for members in groups]
    sections: list[Section] = []
    bytes_at: dict[int, bytes] = {}
    for members, its_fills in zip(groups, fills, strict=True):
        label = "" if sections else "after" if earlier else "before"
        section = compose_section(members, options, its_fills, label=label)
        if earlier is None:
            bytes_at |= _slot_bytes(section, members)
        elif changed := _changed(section, members, earlier):
            section = compose_section(members, options, its_fills, label=label, changed=changed)
        sections.append(section)
    palette = palette_of(zip(groups, fills, strict=True)).after(known)
    return _Look(tuple(sections), groups, fills, palette, bytes_at)


def _slot_bytes(section: Section, members: Sequence[SectionMember]) -> dict[int, bytes]:
    """By address what is in the shown slots of a section, in its first tensor's storage."""
    member, unit = members[0], section.strips[0].unit
    if not member.subject.readable:
        return {}
    starts = [
        slot.address * unit - member.shift
        for slot in section.strips[0].slots
        if isinstance(slot, Slot) and member.shift <= slot.address * unit < member.end
    ]
    places = [start + i for start in starts for i in range(unit)]
    values = member.subject.read_bytes(places) if places else b""
    return {
        member.subject.storage_address + start: values[i * unit : (i + 1) * unit]
        for i, start in enumerate(starts)
    }


def _changed(
    section: Section, members: Sequence[SectionMember], earlier: _Look, moved: int = 0
) -> frozenset[int]:
    """The bytes where slots that were shown before hold something else now.

    `moved` is how far the storage has moved since, in bytes.
    """
    start = members[0].subject.storage_address - members[0].shift
    return frozenset(
        address - start
        for address, value in _slot_bytes(section, members).items()
        if earlier.bytes_at.get(address - moved, value) != value
    )


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


def _of_one(
    before: tuple[str, Subject],
    after: tuple[str, Subject],
    earlier: _Look,
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
    moved, fills = (apart, earlier.fills[0]) if same else (0, earlier.fills[0].seen_from(apart))
    section = compose_section(members, options, fills, label="after")
    changed = _changed(section, members, earlier, moved)
    resized = same and old.storage_length != new.storage_length
    if changed or resized:
        section = compose_section(members, options, fills, label="after", changed=changed)
        # One storage, even if it has moved.
        alts = _alts(earlier.groups, [members], [""] * 2)
        seen = palette_of([(members, fills)]).after(earlier.palette)
        sections = (*earlier.sections, section._replace(start=apart - moved))
        scene = _scene(sections, options, alts, seen)
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
    before: tuple[str, Subject], after: tuple[str, Subject], earlier: _Look, options: Options
) -> Scene:
    """A copy: two storages, and which element went where, if it did so unchanged."""
    old, new = before[1], after[1]
    member = SectionMember(after[0], new, 0)
    known = earlier.palette.known[0]
    carrying = carried(known, member)
    groups = (earlier.groups[0], [member])
    own = choose([member], None, None)
    plain = compose_section([member], options, own, label="after")
    positions = [
        slot.address
        for slot in plain.strips[0].slots
        if isinstance(slot, Slot) and slot.group is not None
    ]
    came_from = [*map(sources(known.layout, new.layout), positions)]
    alts = _alts(groups[:1], groups[1:], letters_of(groups))
    if options.bytes or not _went_unchanged(old, new, came_from, positions):
        # A copy in another order, as heads are merged, or numbers that were worked out.
        followed = brought(groups[0][0], earlier.fills[0], member, VALUE_WORDS)
        told: tuple[str, ...] = ()
        if followed and not options.bytes:
            own, told = followed, (VALUE_NOTE,)
            plain = compose_section([member], options, own, label="after")
        sections = _lettered(on_memories((*earlier.sections, plain), groups), groups)
        seen = palette_of([([member], own)]).after(earlier.palette)
        return _scene(_renamed(sections), options, [*told, *alts], seen, told)
    section = compose_section([member], options, carrying, label="after", strip_first=True)
    shown = {slot.address for slot in earlier.sections[0].strips[0].slots if isinstance(slot, Slot)}
    moves = tuple(
        Move(source, position)
        for source, position in zip(came_from, positions, strict=True)
        if source in shown
    )
    note = (
        f"{count(new.layout.numel, 'element')} copied to a storage of "
        f"{'its' if new.layout.numel == 1 else 'their'} own."
    )
    sections = _lettered(on_memories((*earlier.sections, section), groups), groups)
    seen = palette_of([([member], carrying)]).after(earlier.palette)
    scene = _scene(_renamed(sections), options, [note, *alts], seen, (note,))
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


def _alts(before: Groups, after: Groups, letters: Sequence[str]) -> list[str]:
    """What was there before and after, in sentences, with the letter of each storage."""
    its_letter = iter(letters)
    return [
        f"{when}: "
        + " ".join(
            alt_text(member.name, member.subject, [], letter)
            for members, letter in zip(groups, its_letter, strict=False)
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
