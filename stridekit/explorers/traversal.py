"""`traversal`: visits one after another, and the cache lines that they touch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import Any, TypeVar

from stridekit.diagrams import Diagram, draw
from stridekit.diagrams.scenes.scene import Cell, Lane, Slot
from stridekit.explorers.explorer import PictureCell, Shown
from stridekit.explorers.fields import OWN, Button, Choice, IntField, MisreadError
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    arguments,
    require_elements,
    torch_code,
    torch_line,
    words,
)
from stridekit.layouts import dims as rules
from stridekit.layouts.layout import Ints, Layout, count, spell
from stridekit.layouts.memory_formats import packed_stride

ITEMSIZE = 8
LINES = ("8", "16", "32", "64", "128", "256")
MEMORY = ("row-major", "column-major", "channels_last")
LOOPS = ("rows: last dim innermost", "columns: first dim innermost", "channels innermost")
# What loops over each dim.
LETTERS = "ijklmn"
# A digit's room, without a digit.
ROOM = "\u2007"

T = TypeVar("T", Cell, Slot)


@dataclass(frozen=True)
class CacheLines(HeaderState):
    """Visits and cache lines: size, stride, storage_offset, memory, loops, line, visit.

    Positions are in elements of 8 bytes, a line is in bytes, and visits are counted from 0.

    >>> from stridekit.explorers import traversal
    >>> traversal(size=(4, 8), memory="column-major", visit=3).state.positions()[:4]
    [0, 1, 2, 3]
    """

    name = "traversal"
    title = "Traversal and cache lines"
    about = "Memory comes in lines. Visit every element: how often is another line used?"
    controls = (
        Choice("loops", "loops", LOOPS),
        Choice("memory", "in memory", (*MEMORY, OWN), folded=True),
        *(replace(each, folded=True) for each in FIELDS),
        Choice("line", "bytes in a line", LINES, folded=True),
        IntField("visit", "visit", because="Visits are counted from 0.", folded=True),
        Button("back", "Back"),
        Button("step", "Step"),
        Button("play", "Play", every=0.4),
    )

    size: Ints = (4, 4)
    memory: str = MEMORY[0]
    loops: str = LOOPS[1]
    line: str = "32"
    visit: int = 5

    @property
    def order(self) -> Ints:
        """The dims, from the outermost loop to the innermost."""
        return order_of(len(self.size), LOOPS.index(self.loops))

    @property
    def _loops(self) -> Layout:
        """The dims in the order of the loops: reading order is that of the visits."""
        return rules.permute(self.layout, self.order)

    def positions(self) -> list[int]:
        """Where each visit leads, in order."""
        return [*self._loops.positions()]

    def index(self, visit: int) -> Ints:
        """The index of a visit."""
        counted = Layout.of(self._loops.size).index_at(visit)
        assert counted is not None
        by_dim = dict(zip(self.order, counted, strict=True))
        return tuple(by_dim[dim] for dim in range(len(self.size)))

    def follow(self, before: "CacheLines", changes: Mapping[str, Any]) -> "CacheLines":
        """The header is in the order that is named, and named if it is in one.

        Another way starts at its beginning.
        """
        new, size = super().follow(before, changes), self.size
        if self.memory != MEMORY[2] or len(size) == 4:
            is_other = (self.memory, size) != (before.memory, before.size)
            if is_other and self.memory != OWN and "stride" not in changes:
                new = replace(new, stride=packed(size, self.memory), storage_offset=0)
            # Where several are the same, the one that is named keeps its name.
            names = [self.memory] if self.memory in MEMORY else []
            names += MEMORY[: 3 if len(size) == 4 else 2]
            fits = (name for name in names if packed(size, name) == new.stride)
            new = replace(new, memory=OWN if new.storage_offset else next(fits, OWN))
        is_same = "visit" in changes or new == before
        return new if is_same else replace(new, visit=0)

    def check(self) -> None:
        """Refuses a size without elements, loops over dims and visits that are not there."""
        super().check()
        require_elements(self.size, "There is nothing to visit.")
        if "channels" in self.memory + self.loops and len(self.size) != 4:
            raise MisreadError(
                f"x has {count(len(self.size), 'dim')}, and channels are for 4: (N, C, H, W).",
                "For another size, choose row-major or column-major, and rows or columns.",
                {"size": (1, 3, 2, 4)},
            )
        last = prod(self.size) - 1
        if self.visit > last:
            why = f"The visits are 0 to {last}."
            raise MisreadError(f"There is no visit {self.visit}.", why, {"visit": last})

    def show(self) -> Shown:
        """The way as far as one has gone, and how often it has gone to another line."""
        line, here, layout = int(self.line), self.visit, self.layout
        lines = [position * ITEMSIZE // line for position in self.positions()]
        switches = [True, *(before != after for before, after in pairwise(lines))]
        total, index, x = sum(switches), self.index(here), self.x
        moved = "another line" if switches[here] else "the same line as before"
        if not here:
            moved = "the first one"
        whole = draw(x, title="x", traverse=self.order, line=line, select=index)
        first = ", ".join(map(str, lines[:8])) + (", ..." if len(lines) > 8 else "")
        used = len({*lines})
        return Shown(
            f"Visit {here} of 0 to {len(lines) - 1}: [{spell(index)}] at position "
            f"{layout.position(index)}, line {lines[here]}, {moved}. "
            f"{sum(switches[: here + 1])} of {total} line switches so far.",
            _so_far(whole, here, lines[here], line // ITEMSIZE),
            (
                f"{count(used, 'line')} of {line} bytes hold these elements; the way goes to "
                f"another line {count(total, 'time')}, the first visit included.",
                "The fewer switches, the more of each line is used while it is at hand.",
            ),
            lead=self._loop_lines(),
            asked=self._loop_lines(),
            question=f"x has {words(layout)}, in elements of {ITEMSIZE} bytes. How often does the "
            f"whole way go to another line of {line} bytes, the first visit included? Loops: "
            f"{self.loops}.",
            truth=str(total),
            given=lambda: draw(x, title="x"),
            why=f"It goes to line {first}: each time that the number is another one, it switches.",
            slips={
                "That is how many lines there are; one that comes again is a switch again.": used,
                "That is how many visits there are.": len(lines),
                "The first visit counts as well.": total - 1,
            },
        )

    def _loop_lines(self) -> str:
        """The loops as one writes them."""
        lines = [f"for {LETTERS[dim]} in range({self.size[dim]}):" for dim in self.order]
        lines.append(f"x[{', '.join(LETTERS[: len(self.size)]) or '()'}]")
        return "\n".join(f"{'    ' * depth}{line}" for depth, line in enumerate(lines))

    def code(self) -> str:
        """The visits, their lines, and how often it goes to another one."""
        line = torch_line(self.layout)
        if self.memory in MEMORY[1:]:
            order = order_of(len(self.size), MEMORY.index(self.memory))
            back = tuple(order.index(dim) for dim in range(len(order)))
            in_memory = Layout.of([self.size[dim] for dim in order])
            line = f"{torch_line(in_memory)}.permute({arguments(back)})"
        return torch_code(
            f"{line}  # its values are positions",
            f"visited = x.permute({arguments(self.order)}).flatten()",
            f"lines = visited * {ITEMSIZE} // {self.line}",
            "switches = 1 + int((lines[1:] != lines[:-1]).sum())",
            f"visited[{self.visit}], lines[{self.visit}], switches",
        )

    def picked(self, cell: PictureCell) -> Mapping[str, Any]:
        """The visit of a cell, or of the element that lies in a slot."""
        index = cell.index_in(self.layout)
        if index is None:
            return {}
        visits = Layout.of(self._loops.size)
        return {"visit": visits.position(tuple(index[dim] for dim in self.order))}

    def back(self) -> "CacheLines":
        """The visit before; at the first one nothing changes."""
        return replace(self, visit=max(self.visit - 1, 0))

    def step(self) -> "CacheLines":
        """The next visit; at the last one nothing changes."""
        return replace(self, visit=min(self.visit + 1, prod(self.size) - 1))

    def play(self, begins: bool) -> "CacheLines":
        """The next visit; where Play begins at the last one, the first."""
        is_last = self.visit == prod(self.size) - 1
        return replace(self, visit=0) if begins and is_last else self.step()


def order_of(ndim: int, number: int) -> Ints:
    """Dims from slowest to fastest, which is the last one, the first one, or the channels."""
    dims = tuple(range(ndim))
    return (dims, dims[::-1], (0, 2, 3, 1))[number]


def packed(size: Ints, memory: str) -> Ints:
    """The stride of a size in one of the orders that have names.

    >>> packed((2, 3), "column-major")
    (1, 2)
    """
    return packed_stride(size, order_of(len(size), MEMORY.index(memory))[::-1])


def _so_far(whole: Diagram, here: int, line: int, per_line: int) -> Diagram:
    """The diagram as far as one has gone: numbers of visits, which slots they reached, this line.

    What is still to come keeps the room of its numbers, so that nothing moves. How an index leads
    to its slot is another explorer's subject.
    """
    (section,) = whole.scene.sections
    come: set[int] = set()

    def told(item: T) -> T:
        if item.visit and int(item.visit.rstrip("…")) > here:
            marks = tuple(mark for mark in item.marks if mark != "switch")
            return item._replace(visit=ROOM * len(item.visit), marks=marks)
        if item.visit:
            come.add(item.address)
        return item

    grids = tuple(grid._replace(cells=tuple(map(told, grid.cells))) for grid in section.grids)
    strips = []
    for strip in section.strips:
        slots = tuple(map(told, strip.slots))
        now = frozenset(slot.address for slot in slots if slot.address // per_line == line)
        lanes = (Lane("visited", frozenset(come)), Lane("this line", now))
        strips.append(strip._replace(slots=slots, lanes=lanes))
    section = section._replace(grids=grids, strips=tuple(strips), hops=())
    return Diagram(whole.scene._replace(sections=(section,), notes=()))
