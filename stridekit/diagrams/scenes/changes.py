"""Before and after: what an operation does to a header, to a storage, or to both."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from stridekit.diagrams.scenes.arguments import named_as, subjects_of
from stridekit.diagrams.scenes.captions import alt_text, count, told_of
from stridekit.diagrams.scenes.cells import Options
from stridekit.diagrams.scenes.colouring import (
    Palette,
    carried,
    choose,
    colour_by_of,
    palette_of,
    sources,
)
from stridekit.diagrams.scenes.compose import Named, brought, compose, compose_section, on_memories
from stridekit.diagrams.scenes.fills import Fills
from stridekit.diagrams.scenes.memory import SectionMember, by_storage, fetched
from stridekit.diagrams.scenes.scene import Change, Move, Scene, Section
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


def look_before(
    tensors: Mapping[str, object], options: Options, dims: object = None, color_by: object = None
) -> Callable[[object], Scene]:
    """Look at tensors before they are changed; gives what draws them beside the change's result.

    `dims` names the dims of the first one, and colours go by `color_by`, one of them.
    """
    call = options.call
    before = subjects_of(call, [*tensors.items()], dims)
    options = options._replace(colour_by=colour_by_of(call, color_by, before[0][1]))
    before = fetched(before, lambda near: _look(near, options))
    return partial(_change, tensors, before, _look(before, options), options)


def _change(
    tensors: Mapping[str, object], before: Named, earlier: "_Look", options: Options, result: object
) -> Scene:
    """The scene of tensors before and after; after is the result, or they again if it is None."""
    call = options.call
    after = subjects_of(call, _results(call, result, tensors))
    after = [(name, named_as([old for _, old in before], subject)) for name, subject in after]
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
    alts = _alts(earlier.groups, later.groups, sections)
    # Only then do sections and grids stand beside each other, before and after.
    paired = same_ones and len(earlier.sections) == len(later.sections)
    done: Change = "write" if paired else ""
    alt = " ".join([*alts, *notes])
    return Scene(options.title, sections, (), notes, alt, later.palette, options.values, done)


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
        if earlier is None:
            section = compose_section(members, options, its_fills, label=label)
            bytes_at |= _slot_bytes(section, members)
        else:
            section, _ = _marked(members, options, its_fills, earlier, label=label)
        sections.append(section)
    palette = palette_of(zip(groups, fills, strict=True), known)
    return _Look(tuple(sections), groups, fills, palette, bytes_at)


def _slot_bytes(section: Section, members: Sequence[SectionMember]) -> dict[int, bytes]:
    """By address what is in the shown slots of a section, in its first tensor's storage."""
    member, unit = members[0], section.strips[0].unit
    if not member.subject.readable:
        return {}
    starts = [
        slot.address * unit - member.shift
        for slot in section.strips[0].slots
        if member.shift <= slot.address * unit < member.end
    ]
    places = [start + i for start in starts for i in range(unit)]
    values = member.subject.read_bytes(places) if places else b""
    return {
        member.subject.storage_address + start: values[i * unit : (i + 1) * unit]
        for i, start in enumerate(starts)
    }


def _marked(
    members: Sequence[SectionMember],
    options: Options,
    fills: Fills,
    earlier: _Look,
    *,
    label: str = "after",
    moved: int = 0,
) -> tuple[Section, bool]:
    """A section, in which slots that held something else before are marked; and whether any is.

    `moved` is how far the storage has moved since, in bytes.
    """
    section = compose_section(members, options, fills, label=label)
    start = members[0].subject.storage_address - members[0].shift
    changed = frozenset(
        address - start
        for address, value in _slot_bytes(section, members).items()
        if earlier.bytes_at.get(address - moved, value) != value
    )
    if changed:
        section = compose_section(members, options, fills, label=label, changed=changed)
    return section, bool(changed)


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
    section, changed = _marked(members, options, fills, earlier, moved=moved)
    resized = same and old.storage_length != new.storage_length
    if changed or resized:
        # One storage, even if it has moved.
        sections = (*earlier.sections, section._replace(start=apart - moved))
        alt = " ".join(_alts(earlier.groups, [members], sections))
        seen = palette_of([(members, fills)], earlier.palette)
        done: Change = "resize" if resized else "write"
        return Scene(options.title, sections, (), (), alt, seen, options.values, done)
    done = "header"
    if same and old.layout == new.layout:
        done = ""
        scene = compose((before,), options)
        note = "The very same tensor comes back: nothing is copied, nothing changes."
    else:
        scene = compose((("before", old), ("after", new)), options)
        note = "Another header over the same storage: in memory, nothing has moved."
    return scene.noted(note)._replace(change=done)


def _copied(
    before: tuple[str, Subject], after: tuple[str, Subject], earlier: _Look, options: Options
) -> Scene:
    """A copy: two storages, and which element went where, if it did so unchanged."""
    old, new = before[1], after[1]
    member = SectionMember(after[0], new, 0)
    known = earlier.palette.known[0]
    groups = (earlier.groups[0], [member])
    fills = choose([member], None, None)
    section = compose_section([member], options, fills, label="after")
    positions = [slot.address for slot in section.strips[0].slots if slot.group is not None]
    came_from = [*map(sources(known.layout, new.layout), positions)]
    notes: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    done: Change = ""
    if not options.bytes and _went_unchanged(old, new, came_from, positions):
        fills, done = carried(known, member), "copy"
        section = compose_section([member], options, fills, label="after", strip_first=True)
        shown = {slot.address for slot in earlier.sections[0].strips[0].slots}
        ways = zip(came_from, positions, strict=True)
        moves = tuple(Move(source, position) for source, position in ways if source in shown)
        own = "its" if new.layout.numel == 1 else "their"
        notes = (f"{count(new.layout.numel, 'element')} copied to a storage of {own} own.",)
    elif not options.bytes and (
        followed := brought(groups[0][0], earlier.fills[0], member, VALUE_WORDS)
    ):
        # A copy in another order, as heads are merged. The rest are numbers that were worked out.
        fills, notes = followed, (VALUE_NOTE,)
        section = compose_section([member], options, fills, label="after")
    sections = on_memories((*earlier.sections, section), groups, new=True)
    return Scene(
        options.title,
        sections,
        moves if len(moves) <= MOVES_MOST else (),
        notes,
        " ".join([*notes, *_alts(groups[:1], groups[1:], sections)]),
        palette_of([([member], fills)], earlier.palette),
        options.values,
        done,
    )


def _went_unchanged(
    old: Subject, new: Subject, sources: Sequence[int | None], positions: Sequence[int]
) -> bool:
    found = [source for source in sources if source is not None]
    if not found or len(found) != len(positions) or not (old.readable and new.readable):
        return False
    # What is not a number is itself here, and 3 is not 3.0.
    return [*map(repr, old.read(found))] == [*map(repr, new.read(positions))]


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


def _alts(before: Groups, after: Groups, sections: Iterable[Section]) -> list[str]:
    """What was there before and after, in sentences, with the letter of each storage."""
    sections = iter(sections)
    return [
        f"{when}: "
        + " ".join(
            alt_text(member.name, member.subject, [], section.storage)
            for members, section in zip(groups, sections, strict=False)
            for member in members
        )
        for when, groups in (("Before", before), ("After", after))
    ]
