"""Which fill an address has: that of the slice along the slowest stride that it belongs to.

Here everything counts in bytes from the start of the section's memory.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from stridekit.diagrams.scenes.memory import Member
from stridekit.layouts.layout import Layout

# Giving each element of a vector its own fill says nothing once the fills repeat.
GROUPS_OF_ONE = 12


class Fills(NamedTuple):
    """Which fill group a byte of a section belongs to.

    `stretch` is how many neighbouring bytes have one fill: 0 where all have, None where an element
    brought its fill along from elsewhere.
    """

    at: Callable[[int], int]
    stretch: int | None = 0

    def seen_from(self, start: int) -> "Fills":
        """The same fills, for a section that begins so many bytes into this one."""
        return Fills(lambda byte: self.at(start + byte), self.stretch) if start else self


def fills_of(members: Sequence[Member]) -> Fills:
    """A byte's fill: which slice along the slowest stride of the base it belongs to.

    The base is the tensor that the others are views of, so that a view shows the fills of its
    source in other places. Of a flat base only the views know where its slices are; the first
    one that has any tells.
    """
    step, layout, first = max(
        (_slices(member, bases=True) for member in members), key=lambda slices: slices[0]
    )
    if step == first.unit:
        views = [_slices(member, bases=False) for member in members]
        step, layout, first = next((view for view in views if view[0] > view[2].unit), views[0])
    if step == first.unit and max(member.end for member in members) > GROUPS_OF_ONE * step:
        return Fills(lambda _: 0)
    origin = _origin(layout, step // first.unit) * first.unit + first.shift
    # Rounded up to a whole slice, so that the groups count from 0.
    lead = -origin % step
    return Fills(lambda byte: (byte + lead) // step, step)


def _slices(member: Member, *, bases: bool) -> tuple[int, Layout, Member]:
    layout = member.subject.base if bases else member.subject.layout
    pairs = [*zip(layout.size, layout.stride, strict=True)]
    step = max((abs(step) for n, step in pairs if n > 1), default=1)
    if step <= 1:
        # Nothing steps along a dim of size 1, but its stride may remember the rows of the source.
        end = member.subject.storage_length
        step = max((step for n, step in pairs if n == 1 and 1 < step < end), default=1)
    return step * member.unit, layout, member


def _origin(layout: Layout, step: int) -> int:
    """Where slices begin: at 0, unless the layout's own slices would then be cut in two."""
    reach = layout.reach
    if reach is None:
        return 0
    inner = sum(
        (n - 1) * abs(stride)
        for n, stride in zip(layout.size, layout.stride, strict=True)
        if abs(stride) < step
    )
    start = reach[0] % step
    return start if start + inner >= step > inner else 0
