"""Before and after: what an operation does to a header, to a storage, or to both."""

from collections.abc import Callable, Mapping, Sequence

from stridekit.diagrams.scenes.arguments import subjects_of
from stridekit.diagrams.scenes.captions import alt_text, count, value_text
from stridekit.diagrams.scenes.compose import Extra, Named, Options, compose, compose_section
from stridekit.diagrams.scenes.fills import Fills, fills_of
from stridekit.diagrams.scenes.memory import Member, by_storage
from stridekit.diagrams.scenes.scene import Move, Scene, Section, Slot
from stridekit.errors import ArgumentError
from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import subject_of

# More arrows than this are a tangle.
MOVES_MOST = 64


def change(tensors: Mapping[str, object], act: Callable[..., object], options: Options) -> Scene:
    """The scene of tensors before and after `act(*tensors)`, which is carried out for real.

    What `act` returns is shown after; the tensors themselves, if it returns None.
    """
    call = options.call
    before = subjects_of(call, [*tensors.items()])
    earlier = _snapshot(before, options)
    result = act(*tensors.values())
    after = subjects_of(call, _results(call, result, tensors))
    if len(before) == len(after) == 1:
        return _of_one(before[0], after[0], earlier, options, same=_is_one_of(result, tensors))
    later = _sections(after, options, "after", earlier)
    return _scene(
        (*earlier.sections, *later),
        options,
        [_alt("Before", before), _alt("After", after)],
    )


class _Earlier:
    """What was seen before: sections, fills, and the bytes of each shown slot."""

    def __init__(self, sections: tuple[Section, ...], members: list[list[Member]]) -> None:
        self.sections = sections
        self.fills = fills_of(members[0])
        self.bytes_at: dict[int, bytes] = {}
        for section, group in zip(sections, members, strict=True):
            start = group[0].subject.storage_address - group[0].shift
            for address, value in _slot_bytes(section, group):
                self.bytes_at[start + address] = value


def _slot_bytes(section: Section, group: list[Member]) -> list[tuple[int, bytes]]:
    """The bytes in the shown slots of a section that lie in its first tensor's storage."""
    member, unit = group[0], section.strips[0].unit
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
    sections = tuple(
        compose_section(members, options, label="before" if number == 0 else "")
        for number, members in enumerate(groups)
    )
    return _Earlier(sections, groups)


def _sections(named: Named, options: Options, label: str, earlier: _Earlier) -> tuple[Section, ...]:
    """The tensors now, with what has changed since marked."""
    sections = []
    for number, members in enumerate(by_storage(named)):
        mine = label if number == 0 else ""
        extra = Extra(changed=_changed(compose_section(members, options), members, earlier))
        sections.append(compose_section(members, options, extra, label=mine))
    return tuple(sections)


def _changed(
    section: Section, members: list[Member], earlier: _Earlier, moved: int = 0
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
    members = [Member(after[0], new, 0)]
    # A storage that grows in place may move; a NumPy array may begin in the middle of one.
    apart = new.storage_address - old.storage_address
    moved, fills = (apart, earlier.fills) if same else (0, earlier.fills.seen_from(apart))
    plain = compose_section(members, options, Extra(fills), label="after")
    changed = _changed(plain, members, earlier, moved)
    if changed or (same and old.storage_length != new.storage_length):
        extra = Extra(fills, changed)
        section = compose_section(members, options, extra, label="after")
        alts = [_alt("Before", [before]), _alt("After", [after])]
        return _scene((*earlier.sections, section), options, alts)
    if same and old.layout == new.layout:
        scene = compose((before,), options)
        note = "The very same tensor comes back: nothing is copied, nothing changes."
    else:
        scene = compose((("before", old), ("after", new)), options)
        note = "Another header over the same storage: no element has moved."
    return scene._replace(notes=(note,), alt=f"{scene.alt} {note}")


def _copied(
    before: tuple[str, Subject], after: tuple[str, Subject], earlier: _Earlier, options: Options
) -> Scene:
    """A copy: two storages, and which element went where, if it did so unchanged."""
    old, new = before[1], after[1]
    source_of = _source_of(old.layout, new.layout)
    member = Member(after[0], new, 0)
    plain = _renamed(compose_section([member], options, label="after"), "new storage")
    positions = [
        slot.address
        for slot in plain.strips[0].slots
        if isinstance(slot, Slot) and slot.group is not None
    ]
    sources = [source_of(position) for position in positions]
    alts = [_alt("Before", [before]), _alt("After", [after])]
    if options.bytes or not _went_unchanged(old, new, sources, positions):
        return _scene((*earlier.sections, plain), options, alts)

    def group_at(byte: int) -> int:
        source = source_of(byte // new.itemsize)
        return earlier.fills.at(source * old.itemsize) if source is not None else 0

    section = compose_section(
        [member], options, Extra(Fills(group_at, None)), label="after", strip_first=True
    )
    section = _renamed(section, "new storage")
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
    scene = _scene((*earlier.sections, section), options, [*alts, note], (note,))
    return scene._replace(moves=moves if len(moves) <= MOVES_MOST else ())


def _renamed(section: Section, storage: str) -> Section:
    """The section with another word for its storage."""
    first, *others = section.strips
    title = first.title.replace("storage", storage, 1)
    return section._replace(strips=(first._replace(title=title), *others))


def _source_of(old: Layout, new: Layout) -> Callable[[int], int | None]:
    """For a position in the copy the one that its element came from, by index or by order."""

    def source(position: int) -> int | None:
        index = new.index_at(position)
        if index is None or old.numel != new.numel:
            return None
        if old.size != new.size:
            flat = Layout.of(new.size).position(index)
            index = Layout.of(old.size).index_at(flat)
            assert index is not None
        return old.position(index)

    return source


def _went_unchanged(
    old: Subject, new: Subject, sources: Sequence[int | None], positions: Sequence[int]
) -> bool:
    found = [source for source in sources if source is not None]
    if not found or len(found) != len(positions):
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
        subject_of(call, result)
    except ArgumentError:
        raise ArgumentError(
            f"{call}: the change gave a {type(result).__name__}. Let it return the tensor to show, "
            "or change its argument in place and return None."
        ) from None
    return [("result" if any(tensors) else "", result)]


def _is_one_of(result: object, tensors: Mapping[str, object]) -> bool:
    return result is None or any(result is tensor for tensor in tensors.values())


def _alt(when: str, named: Named) -> str:
    return f"{when}: " + " ".join(alt_text(name, subject, []) for name, subject in named)


def _scene(
    sections: tuple[Section, ...],
    options: Options,
    alts: list[str],
    notes: tuple[str, ...] = (),
) -> Scene:
    return Scene(options.title, sections, (), notes, " ".join(alts), options.values)
