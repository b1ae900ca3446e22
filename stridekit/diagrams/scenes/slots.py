"""The slots of a section's strips: its memory, one after another, and which tensor reaches what."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import compress, pairwise
from sys import byteorder
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import value_texts
from stridekit.diagrams.scenes.cells import OUTSIDE_TEXT, UNWRITTEN_TEXT, Options
from stridekit.diagrams.scenes.elision import SLOTS, shown_positions
from stridekit.diagrams.scenes.fills import GroupAt
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.diagrams.scenes.scene import Break, Grid, Lane, Mark, Marks, Slot, Strip
from stridekit.layouts.layout import Layout, count

# So many bytes are shown one by one.
BYTES_MOST = 256
# So many elements are counted one by one.
COUNTED_MOST = 1024
# So many tensors have a line under the strip.
LANES_MOST = 4
# What a cell's slot has the state of as well.
SHARED: Marks = ("selected", "written", "switch", "unwritten")


class Reach:
    """How many indices of each tensor of a section lie in a slot."""

    def __init__(self, members: Sequence[SectionMember]) -> None:
        self._members = members
        self._count_at: list[Callable[[int], int]] = []
        for member in members:
            layout, span = member.subject.layout, member.subject.span
            if span > 1:
                # An element takes several positions: a last dim runs along them.
                layout = Layout.over([*layout.dims, (span, 1)], layout.storage_offset)
            # Few are counted in less time than arithmetic takes.
            is_small = layout.numel <= COUNTED_MOST
            counted = Counter(layout.positions()).__getitem__ if is_small else layout.count_at
            self._count_at.append(counted)

    def counts(self, number: int, unit: int, addresses: Iterable[int]) -> list[int]:
        """How many elements a tensor has in each of some slots of `unit` bytes."""
        member, count_at = self._members[number], self._count_at[number]
        mine, shift = member.unit, member.shift
        if mine == unit:
            base = shift // unit
            return [count_at(address - base) for address in addresses]
        starts = [address * unit - shift for address in addresses]
        places = [range(start // mine, (start + unit - 1) // mine + 1) for start in starts]
        return [sum(map(count_at, each)) for each in places]


class SlotKind(NamedTuple):
    """What the slots of one strip are: elements of a dtype, or bytes."""

    unit: int
    dtype: str = ""

    def shows(self, member: SectionMember) -> bool:
        """Whether the cells of a tensor's grid are slots of the strip."""
        return self.dtype == ("" if member.subject.in_bytes else member.subject.dtype)


class Frame(NamedTuple):
    """The places that all strips of a section show, in slots of `unit` bytes."""

    unit: int
    slots: list[int]
    first: int
    end: int


def strips_of(
    members: Sequence[SectionMember],
    grids: Sequence[Grid],
    group_at: GroupAt,
    asked: Options,
    needed: Iterable[int],
    written: AbstractSet[int],
    beside: AbstractSet[int],
) -> tuple[tuple[Strip, ...], Reach]:
    """A strip for each dtype over the memory, and one of its bytes below where that is of use.

    Where the first tensor's elements lie at any byte, that one alone. The bytes `beside` are shown
    too, at those that are `needed` a step would have to end, and some were `written`. Gives also
    which tensor reaches what.
    """
    reach = Reach(members)
    kinds = _kinds(members)
    several = len(kinds) > 1
    split = several or asked.bytes or any(member.subject.in_bytes for member in members)
    unit = max((kind.unit for kind in kinds), default=1)
    end = max(member.end for member in members)
    most = max(BYTES_MOST // unit, 1) if split else SLOTS
    frame = _frame(members, grids, beside, unit, end, most)
    if split and members[0].subject.readable and all(kind.unit > 1 for kind in kinds):
        kinds.append(SlotKind(1))
    line = 0 if asked.traverse is None else asked.line
    strips: list[Strip] = []
    for kind in kinds:
        addresses = _addresses(frame, kind.unit, end)
        told = _told_by_cells(members, grids, kind)
        if members[0].subject.in_bytes:
            for byte in written:
                told.marks[byte]["written"] = None
        if not strips:
            for byte in needed:
                told.marks[byte // kind.unit]["needed"] = None
        if asked.values:
            short = any(grid.short for grid in grids)
            for member in members:
                _read(told, member, kind, addresses, short=short)
        else:
            told.texts.update((address, str(address)) for address in addresses)
        counts = [reach.counts(number, kind.unit, addresses) for number in range(len(members))]
        # A slot that is larger than an element holds several, which share nothing.
        shared = [
            mine if member.unit >= kind.unit else [min(n, 1) for n in mine]
            for member, mine in zip(members, counts, strict=True)
        ]
        most_at = shared[0] if len(shared) == 1 else [*map(max, *shared)]
        slots = _slots(told, addresses, kind.unit, most_at, group_at, end)
        strips.append(
            Strip(
                *_told_of_memory(
                    kind, members, values=asked.values, alone=not several, first=not strips
                ),
                kind.unit,
                tuple(slots),
                _breaks(addresses, frame, kind.unit, end),
                line=0 if strips else line // kind.unit,
                in_bytes=split or any(member.subject.library == "numpy" for member in members),
                floats=told.floats,
            )
        )
    if len(members) > 1:
        lanes = [
            Lane(member.name, frozenset(compress(addresses, mine)))
            for member, mine in zip(members, counts, strict=True)
        ]
        most = len(lanes) if asked.all else min(LANES_MOST, len(lanes))
        last = strips[-1]._replace(lanes=tuple(lanes[:most]), more_lanes=len(lanes) - most)
        strips[-1] = last
    return tuple(strips), reach


def _kinds(members: Sequence[SectionMember]) -> list[SlotKind]:
    """A kind for each dtype: the first tensor's, then from the largest elements to the smallest.

    There is none for elements that lie at any byte: no slots would fit them all.
    """
    kinds: dict[str, SlotKind] = {}
    for member in members:
        if not member.subject.in_bytes:
            kinds.setdefault(member.subject.dtype, SlotKind(member.unit, member.subject.dtype))
    if members[0].subject.in_bytes:
        return []
    first, *others = kinds.values()
    return [first, *sorted(others, key=lambda kind: -kind.unit)]


def _frame(
    members: Sequence[SectionMember],
    grids: Sequence[Grid],
    beside: AbstractSet[int],
    unit: int,
    end: int,
    most: int,
) -> Frame:
    """Which slots are shown: all, if they are few and the grids show all of their elements.

    Otherwise those of the grids' cells, and of the memory as many as fit.
    """
    ends = [0, end, *beside, *(byte + unit for byte in beside)]
    is_whole = True
    for member, grid in zip(members, grids, strict=False):
        if grid.cells:
            addresses = [cell.address for cell in grid.cells]
            ends.append(min(addresses) * grid.unit)
            ends.append(max(addresses) * grid.unit + member.subject.element_size)
        is_whole &= len(grid.cells) == member.subject.layout.numel
    first, last = min(ends) // unit, -(-max(ends) // unit)
    if last - first <= most and is_whole:
        return Frame(unit, [*range(first, last)], first, last)
    wanted = {cell.address * grid.unit // unit for grid in grids for cell in grid.cells}
    must = {byte // unit for byte in beside}
    return Frame(unit, shown_positions(first, last, wanted, must, most), first, last)


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


@dataclass
class _Told:
    """What is told of the slots of one strip, by address; and whether texts are floats."""

    texts: dict[int, str] = field(default_factory=dict)
    # In the order in which they came, each once.
    marks: dict[int, dict[Mark, None]] = field(default_factory=lambda: defaultdict(dict))
    visits: dict[int, str] = field(default_factory=dict)
    floats: bool = False


def _told_by_cells(
    members: Sequence[SectionMember], grids: Sequence[Grid], kind: SlotKind
) -> _Told:
    """What the grids' cells tell of the slots below them: texts, marks and visit numbers."""
    told = _Told()
    for member, grid in zip(members, grids, strict=False):
        if not kind.shows(member):
            continue
        # What a tensor says may be something else than what memory holds.
        if kind.dtype and member.subject.says is None:
            told.texts.update([(cell.address, cell.text) for cell in grid.cells])
            told.floats |= grid.floats
        for cell in grid.cells:
            if not (cell.marks or cell.visit):
                continue
            address = cell.address
            if cell.visit:
                before = told.visits.get(address)
                told.visits[address] = f"{before.removesuffix('…')}…" if before else cell.visit
            span = member.subject.span
            for mark in cell.marks:
                # Of an element's bytes some may have been written: they are told one by one.
                if mark in SHARED and not (mark == "written" and span > 1):
                    for i in range(span if mark == "selected" else 1):
                        told.marks[address + i][mark] = None
    return told


def _read(
    told: _Told, member: SectionMember, kind: SlotKind, addresses: list[int], *, short: bool
) -> None:
    """Add the values in the slots that no cell shows, as a tensor sees them."""
    subject, texts = member.subject, told.texts
    if kind.dtype and not kind.shows(member):
        return
    base, ratio = member.shift // kind.unit, member.unit // kind.unit
    length = subject.storage_length * ratio
    mine = [a - base for a in addresses if a not in texts and 0 <= a - base < length]
    if unwritten := subject.unwritten(sorted({place // ratio for place in mine})):
        for place in mine:
            if place // ratio in unwritten:
                told.marks[place + base]["unwritten"] = None
        mine = [place for place in mine if place // ratio not in unwritten]
    if not mine:
        return
    if kind.dtype:
        found, floats = value_texts(subject.read(mine), short=short)
        told.floats |= floats
    else:
        found = [f"{byte:02x}" for byte in subject.bytes_at(mine, 1)]
    texts.update((place + base, text) for place, text in zip(mine, found, strict=True))


def _slots(
    told: _Told, addresses: list[int], unit: int, sharing: list[int], group_at: GroupAt, end: int
) -> Iterator[Slot]:
    """The slots at some addresses, of `unit` bytes, of a memory that ends at byte `end`.

    So many indices share each of them.
    """
    for address, n in zip(addresses, sharing, strict=True):
        marks: Marks = tuple(told.marks.get(address, ()))
        text = UNWRITTEN_TEXT if "unwritten" in marks else told.texts.get(address, "")
        group, badge = None, ""
        if not 0 <= address * unit < end:
            text, marks = "" if "needed" in marks else OUTSIDE_TEXT, (*marks, "outside")
        elif n:
            group = group_at(address * unit)
            if n > 1:
                badge = f"×{n:,}" if n < 10_000 else f"×{n:.2g}".replace("e+", "e")
        yield Slot(address, text, group, marks, badge, told.visits.get(address, ""))


def _breaks(addresses: list[int], frame: Frame, unit: int, length: int) -> tuple[Break, ...]:
    """What is left out between some slots of a memory of so many bytes."""
    first, end = 0, length // unit
    if unit == frame.unit:
        first = frame.first
        if frame.end > -(-length // unit):
            end = frame.end
    edges = pairwise([first - 1, *addresses, end])
    return tuple(Break(a + 1, b - a - 1) for a, b in edges if b - a > 1)


def _told_of_memory(
    kind: SlotKind, members: Sequence[SectionMember], *, values: bool, alone: bool, first: bool
) -> tuple[str, str]:
    """What a strip's memory is called, unless the strip above says so, and what it shows of it."""
    end = max(member.end for member in members)
    if not kind.dtype:
        foreign = first or any("endian" in member.subject.dtype for member in members)
        how = f", in hexadecimal{'' if foreign else f' ({byteorder}-endian)'}" if values else ""
        if first:
            return "storage", f"· {count(end, 'byte')}{how}"
        return "", f"the same bytes{how}"
    slots = f"· {count(end // kind.unit, 'element')} of {count(kind.unit, 'byte')}"
    return "storage", slots if alone else f"as {kind.dtype} {slots}"
