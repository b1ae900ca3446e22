"""A visit of every element in a loop order: who comes when, and when the cache line changes."""

from itertools import islice
from math import prod
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import count
from stridekit.layouts.layout import Ints, Layout

CACHE_LINE = 64
# Line switches are counted over so many visits.
VISITS_MOST = 10_000


class Traversal(NamedTuple):
    """Loops over a tensor's dims, `order` from the outermost to the innermost.

    Lines are `line` bytes long and counted from the start of the memory, as if it began on one;
    the storage begins `shift` bytes into it.
    """

    layout: Layout
    order: Ints
    itemsize: int
    line: int
    shift: int = 0

    def number(self, index: Ints) -> int:
        """Which visit an element is, from 0 on."""
        number = 0
        for dim in self.order:
            number = number * self.layout.size[dim] + index[dim]
        return number

    def is_switch(self, index: Ints, position: int) -> bool:
        """Whether the visit before the one of an index was on another line, or there was none."""
        before = self._before(index, position)
        return before is None or self._line_of(before) != self._line_of(position)

    def _before(self, index: Ints, position: int) -> int | None:
        """The position that is visited before the one of an index."""
        for dim in reversed(self.order):
            stride = self.layout.stride[dim]
            if index[dim]:
                return position - stride
            position += (self.layout.size[dim] - 1) * stride
        return None

    def _line_of(self, position: int) -> int:
        return (self.shift + position * self.itemsize) // self.line

    def note(self) -> str:
        """The count of visits, line switches and lines, in a sentence."""
        layout = self.layout
        walked = Layout(
            tuple(layout.size[dim] for dim in self.order),
            tuple(layout.stride[dim] for dim in self.order),
            layout.storage_offset,
        )
        lines = [*map(self._line_of, islice(walked.positions(), VISITS_MOST))]
        switches = sum(
            number == 0 or line != lines[number - 1] for number, line in enumerate(lines)
        )
        visits = count(len(lines), "visit")
        if prod(layout.size) > VISITS_MOST:
            visits = f"The first {visits}"
        loops = f"dim {self.order[-1]} innermost" if len(self.order) > 1 else "in order"
        return (
            f"{visits}, {loops}: {count(switches, 'line switch', 'line switches')}, the first "
            "visit included, over "
            f"{count(len(set(lines)), 'cache line')} of {self.line} bytes "
            f"({count(self.line // self.itemsize, 'element')} each), "
            "if the storage begins on a line."
        )
