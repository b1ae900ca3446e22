"""Which fill an address has: a slice along one dim of the base, so that what happened shows.

Fills belong to addresses: each is a pure function of its byte, counted from the start of the
section's memory, whatever tensors look at it.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import dim_words
from stridekit.diagrams.scenes.memory import SectionMember
from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Rows

GroupAt = Callable[[int], int]

# Giving each element of a vector its own fill says nothing once the fills repeat.
GROUPS_OF_ONE = 12
# In a tensor of this rank and more, fewer fills than the second number show too little.
DEEP, ENOUGH = 3, 3


class Fills(NamedTuple):
    """How a section is filled, and what a fill means.

    `group_at` gives the group of a byte. `stretch` is how many neighbouring bytes have one fill: 0
    where all have, None where an element brought its fill along from elsewhere; after `period`
    bytes the fills begin again, unless it is 0. `words` say what a fill is where it was asked for.
    """

    group_at: GroupAt = lambda _: 0
    stretch: int | None = 0
    words: str = ""
    period: int = 0

    def seen_from(self, start: int) -> "Fills":
        """The same fills, for a section that begins so many bytes into this one."""
        group_at = self.group_at
        return self._replace(group_at=lambda byte: group_at(start + byte)) if start else self


def stretches(step: int, lead: int, period: int = 0, words: str = "") -> Fills:
    """Each `step` bytes side by side are a group; after `period` groups they begin again.

    `lead` bytes of the first group lie before the memory. Period 0 never begins again.
    """

    def group_at(byte: int) -> int:
        group = (byte + lead) // step
        return group % period if period else group

    return Fills(group_at, step, words, period * step)


def fills_along(member: SectionMember, dim: int, words: str) -> Fills:
    """A fill for each index of one dim of a tensor; where it has no element, as if that ran on."""
    layout, unit, shift = member.subject.layout, member.unit, member.shift
    stride = layout.stride[dim]
    wider = _wider(abs(stride), _steps(layout))
    period = wider // abs(stride) if wider and stride else 0

    def group_at(byte: int) -> int:
        position = (byte - shift) // unit
        index = layout.index_at(position)
        if index is not None:
            return index[dim]
        group = (position - layout.storage_offset) // stride if stride else 0
        return group % period if period else group

    return Fills(group_at, words=words)


def fills_of_elements(member: SectionMember) -> Fills:
    """A fill for each element."""
    unit = member.unit
    if member.subject.in_bytes and member.subject.layout.ndim:
        # Elements that lie at any byte are told apart by the dim that runs fastest.
        words = "each colour: one index of the last dim"
        return fills_along(member, member.subject.layout.ndim - 1, words)
    return stretches(unit, -member.shift % unit, words="each colour: one element")


def _fills_of_rows(member: SectionMember, rows: Rows) -> Fills:
    """A fill for each row of a whole that a tensor is a part of; the first where it has none."""
    layout, unit, shift = member.subject.layout, member.unit, member.shift
    if rows.flat:
        layout = Layout.of((member.subject.storage_length,))

    def group_at(byte: int) -> int:
        index = layout.index_at((byte - shift) // unit)
        return 0 if index is None else rows.row_of(index)

    return Fills(group_at, words=f"each colour: one {rows.what}")


def fills_of(members: Sequence[SectionMember]) -> Fills:
    """A byte's fill: which slice along a dim of the base it belongs to.

    The base is the tensor that the others are views of, so that a view shows the fills of its
    source in other places. Of a flat base only the views know where its slices are; the first
    one that has any tells. The dim is the outermost one, unless

    - a tensor's dims do not lie in memory in the order that they are counted in: then it is the
      last one before the order turns, so that what changed places has a fill of its own (the heads
      of an attention tensor, the pixels of an image in channels_last);
      Where such slices are small, and more than there are fills, the dim inside of them tells
      more: the channels of an image in channels_last;
    - it has only one or two slices, and there are more dims: then the first one inwards that has
      three or more.

    What is a part of a whole, such as the values of a sparse tensor, has a fill for each row of it.
    """
    first = members[0]
    rows = first.subject.rows
    if rows:
        return _fills_of_rows(first, rows)
    bases = [_slices(member, bases=True) for member in members]
    slices = max(bases, key=lambda each: each[0] * each[2].unit)
    if slices[0] == 1:
        views = [_slices(member, bases=False) for member in members]
        slices = next((view for view in views if view[0] > 1), views[0])
    step, layout, first = slices
    unit = first.unit
    if step == 1:
        if max(member.end for member in members) > GROUPS_OF_ONE * unit:
            return Fills()
        return _filled(layout, first, unit, 0)
    for member in members:
        turned, base = member.subject.layout, member.subject.base
        turn = turn_of(turned)
        if turn is None or not (found := slices_at(turn, turned, base)):
            continue
        if (dim := _inside_of_many(turned, *found)) is not None:
            words = f"each colour: one index of {dim_words(member.subject, dim)}"
            return fills_along(member, dim, words)
        return _filled(layout, first, found[0] * member.unit, found[1])
    step, period = slices_at(0, layout, layout) or (step, 0)
    return _filled(layout, first, step * unit, period)


def _filled(layout: Layout, first: SectionMember, step: int, period: int) -> Fills:
    """The fills of slices of so many bytes, which begin where those of a tensor do."""
    unit, span = first.unit, first.subject.span
    origin = _origin(layout, max(step * period // unit, 1), span) if period else 0
    origin = (origin or _origin(layout, max(step // unit, 1), span)) * unit + first.shift
    # Rounded up to whole slices, so that the groups count from 0.
    return stretches(step, -origin % (step * max(period, 1)), period)


def turn_of(layout: Layout) -> int | None:
    """The last dim in memory before the order turns; None where it is that of the dims.

    >>> turn_of(Layout((2, 5, 4, 8), (160, 8, 40, 1))), turn_of(Layout.of((3, 4)))
    (1, None)
    """
    pairs = enumerate(pairwise(_in_memory(layout)))
    return next((number for number, (dim, inner) in pairs if dim > inner), None)


def slices_at(number: int, layout: Layout, base: Layout) -> tuple[int, int] | None:
    """The slices of a dim, counted in memory: their step, and after how many they come again.

    Of a tensor of more dims, where that leaves fewer than three fills, they are those of a dim
    inwards, or of the outer ones together; None where these are no more.

    >>> slices_at(0, Layout.of((3, 4)), Layout.of((3, 4)))
    (4, 0)
    >>> slices_at(1, Layout((2, 5, 4, 8), (160, 8, 40, 1)), Layout.of((2, 4, 5, 8)))
    (40, 4)
    >>> slices_at(1, Layout((1, 3, 4, 4), (48, 1, 12, 3)), Layout.of((48,)))
    (3, 0)
    """
    dims, size, stride = _in_memory(layout), layout.size, layout.stride
    if not dims:
        return None
    counted = sorted(dims)
    start = number
    # Dims that follow each other and lie evenly spaced are one: the pixels of an image.
    while (
        start
        and counted.index(dims[start - 1]) + 1 == counted.index(dims[start])
        and stride[dims[start - 1]] == size[dims[start]] * stride[dims[start]]
    ):
        start -= 1
    steps = _steps(base) | _steps(layout)
    step, outer = abs(stride[dims[number]]), abs(stride[dims[start]])
    period, fills = _slices_of(step, outer, steps, layout)
    if fills >= ENOUGH or max(len(dims), len(_in_memory(base))) < DEEP:
        return step, period
    for dim in dims[number + 1 : -1]:
        step = abs(stride[dim])
        period, fills = _slices_of(step, step, steps, layout)
        if fills >= ENOUGH:
            return step, period
    together = 1
    for dim in dims[:-1]:
        together *= size[dim]
        if together >= ENOUGH:
            return abs(stride[dim]), 0
    return None


def _inside_of_many(layout: Layout, step: int, period: int) -> int | None:
    """The dim that runs inside of slices which are too many to have a fill each, and small.

    >>> _inside_of_many(Layout((2, 3, 4, 4), (48, 1, 12, 3)), 3, 16)
    1
    """
    within = [dim for dim in _in_memory(layout) if abs(layout.stride[dim]) < step]
    many = period or layout.numel // step
    if many <= GROUPS_OF_ONE or step > GROUPS_OF_ONE or len(within) != 1 or layout.ndim < DEEP:
        return None
    return within[0]


def _slices_of(step: int, outer: int, steps: set[int], layout: Layout) -> tuple[int, int]:
    """After how many slices an outer dim moves on, or 0 without one; and how many there are."""
    wider = _wider(outer, steps)
    if wider and wider % step == 0:
        return wider // step, wider // step
    low, high = layout.reach or (0, 0)
    return 0, (high - low) // step + 1


def _wider(step: int, steps: set[int]) -> int:
    """The next larger step, or 0."""
    return min((s for s in steps if s > step), default=0)


def _in_memory(layout: Layout) -> list[int]:
    """The dims that move, from the largest step to the smallest."""
    size, stride = layout.size, layout.stride
    moving = [dim for dim, n in enumerate(size) if n > 1 and stride[dim]]
    return sorted(moving, key=lambda dim: -abs(stride[dim]))


def _steps(layout: Layout) -> set[int]:
    return {abs(stride) for n, stride in layout.dims if n > 1 and stride}


Slices = tuple[int, Layout, SectionMember]


def _slices(member: SectionMember, *, bases: bool) -> Slices:
    """The largest step of a tensor or of its base, in elements."""
    layout = member.subject.base if bases else member.subject.layout
    step = max((abs(step) for n, step in layout.dims if n > 1), default=1)
    if step <= 1:
        # Nothing steps along a dim of size 1, but its stride may remember the rows of the source.
        end = member.subject.storage_length
        step = max((step for n, step in layout.dims if n == 1 and 1 < step < end), default=1)
    return step, layout, member


def _origin(layout: Layout, step: int, span: int) -> int:
    """Where slices begin: at 0, unless the layout's own slices would then be cut in two.

    An element takes `span` positions.
    """
    reach = layout.reach
    if reach is None:
        return 0
    inner = sum((n - 1) * abs(stride) for n, stride in layout.dims if abs(stride) < step) + span - 1
    start = reach[0] % step
    return start if start + inner >= step > inner else 0
