"""The slots of a section's strips: its memory, one after another, and which tensor reaches what."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import repeat
from sys import byteorder
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import count, value_text
from stridekit.diagrams.scenes.cells import OUTSIDE_TEXT, UNWRITTEN_TEXT, GridDraft
from stridekit.diagrams.scenes.elision import SLOTS, shown_positions, with_breaks
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.scene import Break, Grid, Lane, Marks, Slot, Strip, made_of
from stridekit.layouts.layout import Layout

LANES_MOST = 4
# So many bytes are shown one by one.
BYTES_MOST = 256


GroupAt = Callable[[int], int]


class Wanted(NamedTuple):
    """What the strips have to show, and how.

    `beside` are bytes of the section to show too; at those in `needed` a step would have to end.
    So many tensors have `lanes`. `storage` is the memory's letter, where there are several.
    """

    beside: frozenset[int] = frozenset()
    needed: frozenset[int] = frozenset()
    values: bool = True
    in_bytes: bool = False
    byte_strip: bool = False
    line: int = 0
    lanes: int = LANES_MOST
    storage: str = ""


class Frame(NamedTuple):
    """The places that all strips of a section show, in slots of `unit` bytes."""

    unit: int
    slots: list[int]
    first: int
    end: int


class Reach:
    """How many indices of each tensor lie in a slot."""

    def __init__(self, members: Sequence[SectionMember], drafts: Sequence[GridDraft]) -> None:
        self._members = members
        self._known: list[dict[int, int] | None] = [
            _reached(drawn) if drawn.shown.whole else None for drawn in drafts
        ]
        self._known += [None] * (len(members) - len(drafts))

    def count(self, number: int, start: int, nbytes: int) -> int:
        """The number of a tensor's elements in some bytes of the section."""
        member, known = self._members[number], self._known[number]
        unit = member.unit
        first, last = (start - member.shift) // unit, (start + nbytes - 1 - member.shift) // unit
        if known is not None:
            return sum(known.get(position, 0) for position in range(first, last + 1))
        layout = _spread(member)
        return sum(layout.count_at(position) for position in range(first, last + 1))

    def slots_of(self, number: int) -> dict[int, int]:
        """How many of a whole tensor's indices lead to each slot of its own width."""
        known, member = self._known[number], self._members[number]
        assert known is not None
        base = member.shift // member.unit
        if not base:
            return known
        return {base + position: n for position, n in known.items()}

    def reaches(self, number: int, unit: int) -> Callable[[int], bool]:
        """For a slot of `unit` bytes, whether a tensor has an element in it."""
        if self._known[number] is not None and self._members[number].unit == unit:
            return self.slots_of(number).__contains__
        return lambda address: bool(self.count(number, address * unit, unit))

    def sharing(self, unit: int) -> Callable[[int], int]:
        """For a slot of `unit` bytes the most indices that one tensor has for one element there.

        0 where no tensor reaches it.
        """
        members = self._members
        if all(member.unit == unit for member in members) and None not in self._known:
            # Much the most frequent case.
            most = self.slots_of(0) if len(members) == 1 else {**self.slots_of(0)}
            for number in range(1, len(members)):
                for address, n in self.slots_of(number).items():
                    if n > most.get(address, 0):
                        most[address] = n
            return lambda address: most.get(address, 0)
        return lambda address: max(
            # A slot that is larger than an element holds several, which share nothing.
            n if member.unit >= unit else min(n, 1)
            for number, member in enumerate(members)
            for n in (self.count(number, address * unit, unit),)
        )


def _reached(drawn: GridDraft) -> dict[int, int]:
    """How many indices of a tensor that is shown whole lie at each position."""
    span = drawn.member.span
    if span == 1:
        once = dict.fromkeys(drawn.positions, 1)
        return once if len(once) == len(drawn.positions) else dict(Counter(drawn.positions))
    return dict(Counter(p + i for p in drawn.positions for i in range(span)))


def _spread(member: SectionMember) -> Layout:
    """A tensor's layout; where an element takes several positions, with a last dim along them."""
    layout, span = member.subject.layout, member.span
    if span == 1:
        return layout
    return Layout((*layout.size, span), (*layout.stride, 1), layout.storage_offset)


def strips_of(
    members: Sequence[SectionMember],
    drafts: Sequence[GridDraft],
    grids: Sequence[Grid],
    group_at: GroupAt,
    wanted: Wanted,
    reach: Reach,
) -> tuple[Strip, ...]:
    """A strip for each dtype over the memory, and one of its bytes below where that is of use.

    Where the first tensor's elements lie at any byte, that one alone.
    """
    views = _views(members)
    split = len(views) > 1 or wanted.byte_strip or any(member.in_bytes for member in members)
    unit = max((view.unit for view in views), default=1)
    end = max(member.end for member in members)
    most = max(BYTES_MOST // unit, 1) if split else SLOTS
    frame = _frame(drafts, wanted, unit, end, most)
    strips: list[Strip] = []
    for view in views:
        addresses = _addresses(frame, view.unit, end)
        known = _of_cells(members, grids, view)
        if not strips:
            for byte in wanted.needed:
                address = byte // view.unit
                known.marks[address] = (*known.marks.get(address, ()), "needed")
        if wanted.values:
            _read_values(known, members, view, addresses)
        else:
            known.texts.update((address, str(address)) for address in addresses)
        strips.append(
            Strip(
                _title(view, end, wanted.storage, split=len(views) > 1),
                view.unit,
                _slots(addresses, frame, known, reach, group_at, end),
                line=0 if strips else wanted.line // view.unit,
                in_bytes=wanted.in_bytes or split,
            )
        )
    if split and members[0].subject.readable and all(view.unit > 1 for view in views):
        addresses = _addresses(frame, 1, end)
        known = _of_bytes(members, grids)
        if wanted.values:
            _read_bytes(known, members, addresses)
        else:
            known.texts.update((address, str(address)) for address in addresses)
        storage = f"storage {wanted.storage}" if wanted.storage else "storage"
        foreign = any("endian" in member.subject.dtype for member in members)
        title = "the same bytes, in hexadecimal" + ("" if foreign else f" ({byteorder}-endian)")
        if not strips:
            known.marks.update((byte, ("needed",)) for byte in wanted.needed)
            title = f"{storage} · {count(end, 'byte')}, in hexadecimal"
        slots = _slots(addresses, frame, known, reach, group_at, end)
        line = 0 if strips else wanted.line
        strips.append(Strip(title, 1, slots, line=line, in_bytes=True))
    if len(members) > 1:
        strips = [_with_counted(members, strip, reach) for strip in strips]
        strips[-1] = strips[-1]._replace(
            lanes=_lanes(members[: wanted.lanes], strips[-1], reach),
            more_lanes=max(len(members) - wanted.lanes, 0),
        )
    return tuple(strips)


def _views(members: Sequence[SectionMember]) -> list[SectionMember]:
    """A tensor for each dtype: the first one's, then from the largest elements to the smallest.

    None for elements that lie at any byte: no slots would fit them all.
    """
    by_dtype: dict[str, SectionMember] = {}
    for member in members:
        if not member.in_bytes:
            by_dtype.setdefault(member.subject.dtype, member)
    if members[0].in_bytes or not by_dtype:
        return []
    first, *others = by_dtype.values()
    return [first, *sorted(others, key=lambda member: -member.unit)]


def _frame(drafts: Sequence[GridDraft], wanted: Wanted, unit: int, end: int, most: int) -> Frame:
    """Which slots are shown: those of the grids' cells, and of the memory as many as fit."""
    low, high = 0, end
    for member, shown in drafts:
        positions = shown.positions
        if positions:
            low = min(low, member.byte(min(positions)))
            high = max(high, member.byte(max(positions) + member.span))
    if wanted.beside:
        low, high = min(low, *wanted.beside), max(high, *(b + unit for b in wanted.beside))
    first, last = low // unit, -(-high // unit)
    asked: set[int] = set()
    if last - first > most:
        asked = {d.member.byte(position) // unit for d in drafts for position in d.positions}
    must = {byte // unit for byte in wanted.beside}
    return Frame(unit, shown_positions(first, last, asked, must, most), first, last)


def _addresses(frame: Frame, unit: int, end: int) -> list[int]:
    """The slots of `unit` bytes that the frame shows: whole ones, and what lies outside."""
    ratio = frame.unit // unit
    if ratio == 1:
        return [a for a in frame.slots if (a + 1) * unit <= end or a * unit >= end]
    return [
        address
        for slot in frame.slots
        for address in range(slot * ratio, (slot + 1) * ratio)
        if address >= 0 and (address + 1) * unit <= end
    ]


class _Known(NamedTuple):
    """What is known of the slots of one strip, by address."""

    unit: int
    texts: dict[int, str]
    unwritten: set[int]
    marks: dict[int, Marks]
    visits: dict[int, str]


def _slots(
    addresses: list[int],
    frame: Frame,
    known: _Known,
    reach: Reach,
    group_at: GroupAt,
    length: int,
) -> tuple[Slot | Break, ...]:
    unit, texts, unwritten, marks, visits = known
    marks = dict(marks)
    for address in unwritten:
        texts[address] = UNWRITTEN_TEXT
        marks[address] = (*marks.get(address, ()), "unwritten")
    shared = list(map(reach.sharing(unit), addresses))
    groups = [
        group_at(address * unit) if n else None
        for address, n in zip(addresses, shared, strict=True)
    ]
    if addresses and not 0 <= addresses[0] <= addresses[-1] * unit < length:
        for number, address in enumerate(addresses):
            if not 0 <= address * unit < length:
                mine = marks.get(address, ())
                texts[address] = "" if "needed" in mine else OUTSIDE_TEXT
                marks[address] = (*mine, "outside")
                groups[number], shared[number] = None, 0
    columns = zip(
        addresses,
        [texts.get(address, "") for address in addresses],
        groups,
        [marks.get(address, ()) for address in addresses] if marks else repeat(()),
        [_badge(n) if n > 1 else "" for n in shared] if max(shared, default=0) > 1 else repeat(""),
        [visits.get(address, "") for address in addresses] if visits else repeat(""),
        strict=False,
    )
    slots = made_of(Slot, columns)
    outer = unit == frame.unit
    first = frame.first if outer else 0
    end = frame.end if outer and frame.end > -(-length // unit) else length // unit
    if len(slots) == end - first:
        return slots
    by_address = dict(zip(addresses, slots, strict=True))
    return tuple(
        item if isinstance(item, Break) else by_address[item]
        for item in with_breaks(addresses, first, end)
    )


def _badge(n: int) -> str:
    """How many indices share a slot, in a few characters."""
    return f"×{n:,}" if n < 10_000 else f"×{n:.2g}".replace("e+", "e")


def _with_counted(members: Sequence[SectionMember], strip: Strip, reach: Reach) -> Strip:
    """The strip, with the names of the tensors that lead to one of its slots several times."""
    shared = [slot.address for slot in strip.slots if isinstance(slot, Slot) and slot.badge]
    if not shared:
        return strip
    unit = strip.unit
    return strip._replace(
        counted=tuple(
            member.name
            for number, member in enumerate(members)
            if member.unit >= unit
            and any(reach.count(number, address * unit, unit) > 1 for address in shared)
        )
    )


def _lanes(members: Sequence[SectionMember], strip: Strip, reach: Reach) -> tuple[Lane, ...]:
    """For each tensor the slots that it reaches."""
    addresses = [slot.address for slot in strip.slots if isinstance(slot, Slot)]
    unit = strip.unit
    return tuple(
        Lane(member.name, frozenset(filter(reach.reaches(number, unit), addresses)))
        for number, member in enumerate(members)
    )


def _of_cells(
    members: Sequence[SectionMember], grids: Sequence[Grid], view: SectionMember
) -> _Known:
    """What the grids' cells tell of the slots below them: texts, marks and visit numbers."""
    known = _Known(view.unit, {}, set(), {}, {})
    _, texts, unwritten, marks, visits = known
    for member, grid in zip(members, grids, strict=False):
        if member.subject.dtype != view.subject.dtype or member.in_bytes:
            continue
        # What a tensor says may be something else than what memory holds.
        is_text_known = member.subject.says is None
        for _, _, _, _, address, text, _, its_marks, visit in grid.cells:
            if is_text_known:
                texts[address] = text
            if visit:
                before = visits.get(address)
                visits[address] = f"{before.removesuffix('…')}…" if before else visit
            if its_marks:
                if "unwritten" in its_marks:
                    unwritten.add(address)
                kept = tuple(m for m in its_marks if m in ("selected", "written", "switch"))
                if kept:
                    marks[address] = tuple(dict.fromkeys((*marks.get(address, ()), *kept)))
    return known


def _of_bytes(members: Sequence[SectionMember], grids: Sequence[Grid]) -> _Known:
    """What the grids' cells tell of the bytes below them, where those are their slots."""
    known = _Known(1, {}, set(), {}, {})
    for member, grid in zip(members, grids, strict=False):
        for cell in grid.cells if member.in_bytes else ():
            if cell.visit:
                known.visits[cell.address] = cell.visit
            kept = tuple(m for m in cell.marks if m in ("selected", "written"))
            if kept:
                known.marks.update((cell.address + i, kept) for i in range(member.span))
            if "switch" in cell.marks:
                known.marks[cell.address] = (*kept, "switch")
    return known


def _read_values(
    known: _Known, members: Sequence[SectionMember], view: SectionMember, addresses: list[int]
) -> None:
    """Add the values in the slots that no cell shows, as the tensors of one dtype see them."""
    texts = known.texts
    for member in members:
        subject = member.subject
        if subject.dtype != view.subject.dtype or member.in_bytes:
            continue
        base, length = member.shift // view.unit, subject.storage_length
        mine = [a - base for a in addresses if a not in texts and 0 <= a - base < length]
        if mine:
            values = zip(mine, subject.read(mine), strict=True)
            texts.update((position + base, value_text(value)) for position, value in values)
            known.unwritten.update(position + base for position in subject.unwritten(mine))


def _read_bytes(known: _Known, members: Sequence[SectionMember], addresses: list[int]) -> None:
    for member in members:
        subject, shift, unit = member.subject, member.shift, member.unit
        mine = [a for a in addresses if shift <= a < member.end and a not in known.texts]
        unwritten = subject.unwritten(sorted({(a - shift) // unit for a in mine}))
        for address, value in zip(mine, subject.read_bytes([a - shift for a in mine]), strict=True):
            known.texts[address] = f"{value:02x}"
            if (address - shift) // unit in unwritten:
                known.unwritten.add(address)


def _title(view: SectionMember, end: int, letter: str, *, split: bool) -> str:
    n = end // view.unit
    slots = f"{count(n, 'element')} of {count(view.unit, 'byte')}"
    storage = f"storage {letter}" if letter else "storage"
    return f"{storage} as {view.subject.dtype} · {slots}" if split else f"{storage} · {slots}"
