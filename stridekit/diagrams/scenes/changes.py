"""Before and after: what an operation does to a header, to a storage, or to both.

What would happen (a view, a resize_, any header over a storage) is worked out, and not carried out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

from stridekit.diagrams.scenes.arguments import named_as, subjects_of
from stridekit.diagrams.scenes.captions import dim_words, number_text, told_of, tuple_text
from stridekit.diagrams.scenes.cells import Options, extremes
from stridekit.diagrams.scenes.colouring import (
    CARRIED_WORDS,
    Palette,
    SourceOf,
    carried,
    choose,
    known_of,
    palette_of,
)
from stridekit.diagrams.scenes.compose import (
    Named,
    alts_of,
    came_by_value,
    came_in_order,
    compose,
    compose_section,
    on_memories,
)
from stridekit.diagrams.scenes.elision import as_far_as_shown
from stridekit.diagrams.scenes.fills import Fills
from stridekit.diagrams.scenes.memory import SectionMember, by_storage
from stridekit.diagrams.scenes.scene import Change, Hop, Move, Scene, Section
from stridekit.errors import ArgumentError, StorageError
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count, spell
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.layouts.whole_numbers import a_type
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import named_subjects_of

VALUE_WORDS = "a value keeps its colour"
VALUE_NOTE = (
    "The same values lie in another order, in a storage of their own: each keeps its colour."
)
# More arrows than this are a tangle.
MOVES_MOST = 64


class _Look(NamedTuple):
    """What is seen at one time: sections, what is in each, fills, and each byte of shown slots."""

    sections: tuple[Section, ...]
    groups: list[list[SectionMember]]
    fills: list[Fills]
    palette: Palette
    bytes_at: dict[int, int]

    def alt(self, when: str) -> str:
        """What was there, in sentences."""
        return f"{when}: {' '.join(alts_of(self.groups, self.sections, alone=True))}"


def look_before(
    tensors: Mapping[str, object], before: Named, options: Options
) -> Callable[[object], Scene]:
    """Look at tensors before they are changed; gives what draws them beside the change's result."""
    return partial(_change, tensors, before, _look(before, options), options)


def _change(
    tensors: Mapping[str, object], before: Named, earlier: _Look, options: Options, result: object
) -> Scene:
    """The scene of tensors before and after; after is the result, or they again if it is None."""
    same_ones = result is None or any(result is tensor for tensor in tensors.values())
    results = (
        [*tensors.items()] if same_ones else _results(options.call, result, named=any(tensors))
    )
    after = [
        (name, named_as([old for _, old in before], subject))
        for name, subject in subjects_of(options.call, results)
    ]
    notes = told_of(subject for _, subject in (*before, *after))
    if len(before) == len(after) == 1:
        scene = _of_one(before[0], after[0], earlier, options, same=same_ones)
        return scene.noted(*(note for note in notes if note not in scene.notes), last=True)
    later = _look(after, options, earlier)
    # Only then do sections and grids stand beside each other, before and after.
    paired = same_ones and len(earlier.sections) == len(later.sections)
    scene = _side_by_side(earlier, later, options, change="write" if paired else "")
    return scene.noted(*notes, last=True)


def _side_by_side(
    earlier: _Look, later: _Look, options: Options, *, change: Change = "", new: bool = False
) -> Scene:
    """The sections of before and after. With `new` what comes after is a new storage."""
    groups = (*earlier.groups, *later.groups)
    sections = on_memories((*earlier.sections, *later.sections), groups, new=new)
    n = len(earlier.sections)
    alts = earlier._replace(sections=sections[:n]), later._replace(sections=sections[n:])
    alt = f"{alts[0].alt('Before')} {alts[1].alt('After')}"
    return Scene(options.title, sections, (), (), alt, later.palette, change)


def _look(named: Named, options: Options, earlier: _Look | None = None) -> _Look:
    """The tensors now; what has changed since an earlier look is marked, and keeps its fills."""
    groups = by_storage(named)
    known, known_bytes = options.palette, dict[int, int]()
    if earlier:
        known, known_bytes = earlier.palette, earlier.bytes_at
        fills = [_kept(members, earlier) for members in groups]
    else:
        fills = [choose(members, options.colour_by, known) for members in groups]
    sections: list[Section] = []
    bytes_at: dict[int, int] = {}
    for members, its_fills in zip(groups, fills, strict=True):
        label = "" if sections else "after" if earlier else "before"
        section, seen = _seen(members, options, its_fills, label, known_bytes)
        sections.append(section)
        bytes_at |= seen
    palette = palette_of(zip(groups, fills, strict=True), known)
    return _Look(tuple(sections), groups, fills, palette, bytes_at)


def _kept(members: Sequence[SectionMember], earlier: _Look) -> Fills:
    """The fills of a section afterwards: its memory's, or those that its elements brought along."""
    if found := earlier.palette.fills_in(members):
        return found
    pairs = zip(earlier.groups, earlier.fills, strict=True)
    before = [(old, fills) for group, fills in pairs for old in group]
    for (old, fills), member in product(before, members):
        if came := _came(old.subject, member.subject):
            return carried(known_of(old, fills), member, came.source_of, came.words)
    return choose(members, None, None)


class _Came(NamedTuple):
    """Where the elements of a copy came from, what their colours say, and a note that tells it."""

    source_of: SourceOf
    words: str
    note: str


def _came(old: Subject, new: Subject) -> _Came | None:
    """What is known of a copy, if it is one: the values alone do not say whether it was made."""
    if source_of := came_in_order(old, new):
        # 3 is not 3.0: it has become another number.
        one, other = (each.read([each.layout.storage_offset])[0] for each in (old, new))
        words = CARRIED_WORDS if type(one) is type(other) else VALUE_WORDS
        anew = "" if old.dtype == new.dtype else f" as {new.dtype}"
        note = f"The same values{anew}{as_far_as_shown(new.layout)}, in a storage of their own."
        return _Came(source_of, words, note)
    # In another order, as heads are merged. The rest are numbers that were worked out.
    if source_of := came_by_value(old, new):
        return _Came(source_of, VALUE_WORDS, VALUE_NOTE)
    return None


def _seen(
    members: Sequence[SectionMember],
    options: Options,
    fills: Fills,
    label: str,
    known: Mapping[int, int],
) -> tuple[Section, dict[int, int]]:
    """A section, and by address each byte of its shown slots, in its first tensor's storage.

    Slots of which another byte is `known`, from an earlier look, are marked.
    """
    section = compose_section(members, options, fills, label=label)
    member, unit = members[0], section.strips[0].unit
    start, bytes_at = member.subject.storage_address - member.shift, dict[int, int]()
    if member.subject.readable:
        slots = [slot.address * unit for slot in section.strips[0].slots]
        places = [at + i for at in slots if member.shift <= at < member.end for i in range(unit)]
        values = member.subject.bytes_at([at - member.shift for at in places], 1) if places else b""
        bytes_at = {start + at: byte for at, byte in zip(places, values, strict=True)}
    if changed := _changed(bytes_at, known):
        in_section = frozenset((address - start) // unit * unit for address in changed)
        section = compose_section(members, options, fills, label=label, changed=in_section)
    return section, bytes_at


def _changed(bytes_at: Mapping[int, int], known: Mapping[int, int]) -> list[int]:
    """The addresses where something else is known to have been."""
    return [address for address, value in bytes_at.items() if known.get(address, value) != value]


def _of_one(
    before: tuple[str, Subject],
    after: tuple[str, Subject],
    earlier: _Look,
    options: Options,
    *,
    same: bool,
) -> Scene:
    """One tensor becomes one: by another header, by a write, or by a copy."""
    (_, old), (name, new) = before, after
    if same and old.storage_id == new.storage_id:
        # A storage that has grown may lie elsewhere by now: it is the same one.
        new = replace(new, storage_address=old.storage_address)
    elif len(by_storage([before, after])) > 1:
        copied = _copied(old, after, earlier, options)
        return copied.noted("The very same tensor, over another storage.") if same else copied
    later = _look([(name, new)], options, earlier)
    resized = same and old.storage_length != new.storage_length
    if resized or _changed(later.bytes_at, earlier.bytes_at):
        scene = _side_by_side(earlier, later, options, change="resize" if resized else "write")
        if old.storage_length < new.storage_length and new.library != "numpy":
            return scene.noted(
                f"The storage grows from {old.storage_length:,} to "
                f"{count(new.storage_length, 'element')}. What resize_ adds is not initialised "
                "until it is written."
            )
        return scene
    if same and old.layout == new.layout:
        # What is not shown was not read.
        partly = any(strip.breaks for section in later.sections for strip in section.strips)
        nothing = "and nothing that is shown" if partly else "nothing"
        note = f"The very same tensor comes back: nothing is copied, {nothing} changes."
        return compose((before,), options).noted(note)
    note = "Another header over the same storage: in memory, nothing has moved."
    scene = compose((("before", old), ("after", new)), options)
    return scene.noted(note)._replace(change="header")


def _copied(old: Subject, after: tuple[str, Subject], earlier: _Look, options: Options) -> Scene:
    """A copy: two storages, and which element went where, if it did so unchanged."""
    member = SectionMember(after[0], after[1], 0)
    came, moves = _came(old, member.subject), tuple[Move, ...]()
    done = came is not None and came.words == CARRIED_WORDS
    fills = choose([member], None, None)
    if came:
        fills = carried(earlier.palette.known[0], member, came.source_of, came.words)
    section = compose_section([member], options, fills, label="after")
    section = section._replace(strip_first=done)
    if came and done:
        shown = {slot.address for slot in earlier.sections[0].strips[0].slots}
        ends = [slot.address for slot in section.strips[0].slots]
        ways = ((came.source_of(end), end) for end in ends)
        moves = tuple(Move(start, end) for start, end in ways if start in shown)
    seen = palette_of([([member], fills)], earlier.palette)
    later = _Look((section,), [[member]], [fills], seen, {})
    scene = _side_by_side(earlier, later, options, change="copy" if done else "", new=True)
    scene = scene._replace(moves=moves if len(moves) <= MOVES_MOST else ())
    return scene.noted(came.note) if came else scene


def _results(call: str, result: object, *, named: bool) -> list[tuple[str, object]]:
    """What came back, to be shown after. Raises ArgumentError for what is not a tensor."""
    if isinstance(result, Mapping) and result:
        return [(str(name), tensor) for name, tensor in result.items()]
    if isinstance(result, tuple | list) and result:
        return [(f"result {number}", tensor) for number, tensor in enumerate(result)]
    try:
        named_subjects_of(call, "", result)
    except ArgumentError:
        raise ArgumentError(
            f"{call}: the change gave {a_type(result)}. Let it return the tensor to show, or "
            "change its argument in place and return None."
        ) from None
    return [("result" if named else "", result)]


# What would happen.


def view(name: str, subject: Subject, size: Ints, options: Options) -> Scene:
    """The scene of `view(size)`: both headers over the storage, or what makes it impossible.

    Raises SizeError for another number of elements.
    """
    layout = subject.layout
    plan = plan_view(layout, size)
    if isinstance(plan, Obstacle):
        return _impossible(name, subject, plan, options)
    viewed = named_as([subject], replace(subject, layout=plan, names=()))
    call = f"{name}.view({spell(size)})" if name else f"view({spell(size)})"
    scene = compose([(name or "before", subject), (call, viewed)], options)
    note = (
        f"Possible, with stride {tuple_text(plan.stride)}: another header, and nothing is copied."
    )
    return scene.noted(note)


def _impossible(name: str, subject: Subject, obstacle: Obstacle, options: Options) -> Scene:
    layout = subject.layout
    left, right = obstacle.left, obstacle.right
    n, step = layout.size[right], layout.stride[right]
    size = spell(obstacle.new_size)

    start = layout.storage_offset
    actual, expected = number_text(obstacle.actual), number_text(obstacle.expected)
    hops = (
        Hop(start, start + obstacle.actual, f"+{actual}"),
        Hop(start, start + obstacle.expected, f"needed: +{expected}", "needed"),
    )
    comparison = (
        f"stride[{left}] = {actual} ≠ size[{right}] × stride[{right}] = "
        f"{number_text(n)} × {number_text(step)} = {expected}"
    )
    outer, inner = dim_words(subject, left), dim_words(subject, right)
    reason = (
        f"In one dim, elements lie evenly spaced. D{inner[1:]} has {count(n, 'element')}, "
        f"{count(step, 'slot')} apart, so a step in {outer} would have to lead "
        f"{count(obstacle.expected, 'slot')} on. It leads {actual} on: the two dims cannot merge."
    )
    advice = f"view({size}) is impossible. reshape({size}) copies instead."
    scene = compose([(name, subject)], options._replace(seam=(left, right), hops=hops))
    told = scene.noted(advice, comparison, reason)
    # In a sentence of its own, where lines do not part them.
    return told._replace(alt=told.alt.replace(comparison, f"{comparison}.", 1))


def resize(name: str, subject: Subject, size: Ints, options: Options) -> Scene:
    """The scene of `resize_(size)`, worked out: the tensor stays as it is.

    Raises StorageError where the storage may not grow.
    """
    layout = subject.layout
    length = subject.storage_length
    if size != layout.size:
        layout = Layout(size, contiguous_stride(size), layout.storage_offset)
    needed = max(length, layout.needed)
    if needed > length and not subject.may_grow:
        raise StorageError(
            f"{options.call}({spell(size)}): the storage would have to grow from {length:,} to "
            f"{count(needed, 'element')}, and it may not: its memory is shared. Draw a clone()."
        )

    def unwritten(positions: Sequence[int]) -> frozenset[int]:
        old = subject.unwritten([p for p in positions if p < length])
        return old | {p for p in positions if p >= length}

    resized = replace(
        subject,
        layout=layout,
        storage_length=needed,
        unwritten=unwritten,
        names=subject.names if len(size) == subject.layout.ndim else (),
    )
    # Fills stay with their addresses, also where the grid around them changes.
    earlier = _look([(name, subject)], options)
    members, label = [SectionMember(name, resized, 0)], f"after resize_{tuple_text(size)}"
    section = compose_section(members, options, earlier.fills[0], label=label)
    later = earlier._replace(sections=(section,), groups=[members])
    scene = _side_by_side(earlier, later, options)
    note = f"The storage keeps its {count(length, 'element')}: resize_ never shrinks it."
    if needed > length:
        note = (
            f"The storage grows from {length:,} to {count(needed, 'element')}. "
            "What is new is not initialised."
        )
    return scene.noted(note, *told_of([subject]))


def bounds_text(layout: Layout, length: int) -> str:
    """Whether every position lies inside the storage, and the index that goes furthest out.

    >>> bounds_text(Layout((3, 4), (4, 1)), 12)
    'In bounds: positions 0 to 11 of 12 elements.'
    >>> bounds_text(Layout((3, 4), (5, 1)), 12).split(", and ")[0]
    'Out of bounds: index (2, 3) lies at position 13'
    """
    reach = layout.reach
    if reach is None:
        return "In bounds: without elements, nothing is reached."
    low, high = reach
    if low >= 0 and high < length:
        span = f"{number_text(low)} to {number_text(high)}"
        return f"In bounds: positions {span} of {count(length, 'element')}."
    outside = low if low < 0 else high
    index = extremes(layout)[low >= 0]
    bounds = f"ends at {number_text(length - 1)}" if length else "is empty"
    if low < 0:
        bounds = "begins at 0"
    return (
        f"Out of bounds: index {tuple_text(index)} lies at position {number_text(outside)}, and "
        f"the storage {bounds}. torch refuses such a header."
    )
