"""`traversal`: visits one after another, and the cache lines that they touch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeVar

from stridekit.diagrams import Diagram, draw
from stridekit.diagrams.scenes.captions import count
from stridekit.diagrams.scenes.scene import Break, Cell, Lane, Slot
from stridekit.explorers import explorer
from stridekit.explorers.explorer import Button, Choice, Explorer, Problem, Shown
from stridekit.explorers.header_state import (
    COUNTS,
    HeaderState,
    arguments,
    header_of,
    problem_of,
    size_problem,
    words,
)
from stridekit.explorers.parsing import ints_field, whole_field
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell

LINES = ("8", "16", "32", "64", "128", "256")
GIVEN = "as it was given"
MEMORY = ("row-major", "column-major", "channels_last", GIVEN)
SPEEDS = ("slow", "medium", "fast")
SECONDS = dict(zip(SPEEDS, (1.2, 0.4, 0.12), strict=True))
LOOPS = ("rows: last dim innermost", "columns: first dim innermost", "channels innermost")


@dataclass(frozen=True, slots=True)
class Visits:
    """A tensor in memory order, the loops that visit it, and how far they are.

    `given` is the header of a tensor to start from that is in none of the orders that have names.
    """

    size: Ints = (4, 8)
    memory: str = MEMORY[0]
    loops: str = LOOPS[1]
    line: str = "32"
    visit: int = 0
    speed: str = SPEEDS[1]
    given: HeaderState | None = None

    @property
    def layout(self) -> Layout:
        """The tensor's header."""
        if self.memory == GIVEN:
            assert self.given is not None
            return self.given.layout
        return packed(self.size, self.memory)

    @property
    def order(self) -> Ints:
        """The dims, from the outermost loop to the innermost."""
        return order_of(len(self.size), LOOPS.index(self.loops))

    def positions(self) -> list[int]:
        """Where each visit leads, in order."""
        layout = self.layout
        size = tuple(layout.size[dim] for dim in self.order)
        stride = tuple(layout.stride[dim] for dim in self.order)
        return [*Layout(size, stride, layout.storage_offset).positions()]

    def index(self, visit: int) -> Ints:
        """The index of a visit."""
        index = dict.fromkeys(self.order, 0)
        for dim in reversed(self.order):
            visit, index[dim] = divmod(visit, self.size[dim])
        return tuple(index[dim] for dim in range(len(self.size)))


def order_of(ndim: int, number: int) -> Ints:
    """Dims from slowest to fastest, which is the last one, the first one, or the channels."""
    dims = tuple(range(ndim))
    return (dims, dims[::-1], (0, 2, 3, 1))[number]


def packed(size: Ints, memory: str) -> Layout:
    """The header of a size in one of the orders that have names.

    >>> packed((2, 3), "column-major").stride
    (1, 2)
    """
    order = order_of(len(size), MEMORY.index(memory))
    steps = contiguous_stride(tuple(size[dim] for dim in order))
    stride = dict(zip(order, steps, strict=True))
    return Layout(size, tuple(stride[dim] for dim in range(len(size))))


def stepped(state: Visits, by: int) -> Visits:
    """So many visits on, and no further than the first or the last."""
    return replace(state, visit=min(max(state.visit + by, 0), prod(state.size) - 1))


def begun(state: Visits) -> Visits:
    """Where Play begins: here, and again at the first visit once it has come to the last."""
    is_last = state.visit == prod(state.size) - 1
    return replace(state, visit=0) if is_last else state


def seconds(state: Visits) -> float:
    """From one visit to the next, while it plays."""
    return SECONDS[state.speed]


# The explorer.


T = TypeVar("T", Cell, Slot)

ITEMSIZE = 8
# A digit's room, without a digit.
ROOM = "\u2007"


def _change(state: Visits, changes: Mapping[str, Any]) -> Visits:
    new = replace(state, **changes)
    if new.memory == GIVEN and new.given and new.size != new.given.size and "given" not in changes:
        # It was given in one size only.
        back = {"size": new.given.size} if new.memory != state.memory else {"memory": MEMORY[0]}
        new = replace(new, **back)
    # Another way starts at its beginning; another speed is on the same way.
    is_same = "visit" in changes or replace(new, speed=state.speed) == state
    return new if is_same else replace(new, visit=0)


def _problem(state: Visits) -> Problem | None:
    problem = size_problem(state.size)
    if problem is not None:
        return problem
    if state.memory == GIVEN:
        if state.given is None:
            why = "One is given like this: traversal(x)."
            return Problem("No tensor was given.", why, MEMORY[0], {"memory": MEMORY[0]})
        problem = problem_of(state.given)
        if problem is not None:
            return replace(problem, nearest=MEMORY[0], changes={"memory": MEMORY[0]})
    visits = prod(state.size)
    if not visits:
        size = tuple(max(n, 1) for n in state.size)
        return Problem(
            f"Size {state.size} has no elements.",
            "There is nothing to visit.",
            f"size {size}",
            {"size": size},
        )
    if "channels" in state.memory + state.loops and len(state.size) != 4:
        return Problem(
            f"x has {count(len(state.size), 'dim')}, and channels are for 4: (N, C, H, W).",
            "For another size, choose row-major or column-major, and rows or columns.",
            "size (1, 3, 2, 4)",
            {"size": (1, 3, 2, 4)},
        )
    if not 0 <= state.visit < visits:
        nearest = min(max(state.visit, 0), visits - 1)
        return Problem(
            f"There is no visit {state.visit}.",
            f"The visits are 0 to {visits - 1}.",
            f"visit {nearest}",
            {"visit": nearest},
        )
    return None


def _show(state: Visits) -> Shown:
    line = int(state.line)
    lines = [position * ITEMSIZE // line for position in state.positions()]
    switches = [n == 0 or lines[n] != lines[n - 1] for n in range(len(lines))]
    here = state.visit
    layout = state.layout
    tensor = HeaderState(layout.size, layout.stride, layout.storage_offset).tensor()
    index = state.index(here)
    moved = "another line" if switches[here] else "the same line as before"
    if not here:
        moved = "the first one"
    total = sum(switches)
    whole = draw(tensor, title="x", traverse=state.order, line=line, select=index)
    picture = _so_far(whole, here, lines[here], line // ITEMSIZE)
    return Shown(
        f"Visit {here} of 0 to {len(lines) - 1}: [{spell(index)}] at position "
        f"{layout.position(index)}, line {lines[here]}, {moved}. "
        f"{sum(switches[: here + 1])} of {total} line switches so far.",
        (picture,),
        (
            f"{count(len(set(lines)), 'line')} of {line} bytes hold these elements; the way goes "
            f"to another line {count(total, 'time')}, the first visit included.",
            "The fewer switches, the more of each line is used while it is at hand.",
        ),
        question=f"x has {words(layout)}, in elements of {ITEMSIZE} bytes. How often does the "
        f"whole way go to another line of {line} bytes, the first visit included? Loops: "
        f"{state.loops}.",
        truth=str(total),
        given=lambda: (draw(tensor, title="x"),),
        why=_why(lines),
        slips=(
            (
                str(len(set(lines))),
                "That is how many lines there are; one that comes again is a switch again.",
            ),
            (str(len(lines)), "That is how many visits there are."),
            (str(total - 1), "The first visit counts as well."),
        ),
    )


def _so_far(whole: Diagram, here: int, line: int, per_line: int) -> Diagram:
    """The diagram as far as one has gone: numbers of visits, which slots they reached, this line.

    What is still to come keeps the room of its numbers, so that nothing moves.
    """
    scene = whole.scene
    (section,) = scene.sections
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
        slots = tuple(slot if isinstance(slot, Break) else told(slot) for slot in strip.slots)
        now = frozenset(
            slot.address
            for slot in slots
            if isinstance(slot, Slot) and slot.address // per_line == line
        )
        lanes = (Lane("visited", frozenset(come)), Lane("this line", now))
        strips.append(strip._replace(slots=slots, lanes=lanes))
    section = section._replace(grids=grids, strips=tuple(strips))
    return Diagram(scene._replace(sections=(section,)))


def _why(lines: list[int]) -> str:
    """Which lines the way takes at first."""
    first = ", ".join(map(str, lines[:8]))
    more = ", ..." if len(lines) > 8 else ""
    return f"It goes to line {first}{more}: each time that the number is another one, it switches."


def _held(state: Visits, what: object) -> Mapping[str, Any]:
    """The visit of a cell, or of the element that lies in a slot."""
    if not isinstance(what, explorer.PictureCell):
        return {}
    index = explorer.index_of(what, state.layout)
    if index is None:
        return {}
    visit = 0
    for dim in state.order:
        visit = visit * state.size[dim] + index[dim]
    return {"visit": visit}


def _code(state: Visits) -> str:
    size, order = state.size, order_of(len(state.size), 0)
    line = HeaderState(size, contiguous_stride(size)).torch_line()
    if state.memory == GIVEN:
        assert state.given is not None
        line = state.given.torch_line()
    elif state.memory != MEMORY[0]:
        order = order_of(len(size), MEMORY.index(state.memory))
        back = tuple(order.index(dim) for dim in range(len(size)))
        in_memory = tuple(size[dim] for dim in order)
        made = f"torch.arange({prod(size)}).view({arguments(in_memory)})"
        line = f"x = {made}.permute({arguments(back)})"
    return (
        f"import torch\n\n{line}  # its values are positions\n"
        f"visited = x.permute({arguments(state.order)}).flatten()\n"
        f"lines = visited * {ITEMSIZE} // {state.line}\n"
        f"switches = 1 + int((lines[1:] != lines[:-1]).sum())\n"
        f"visited[{state.visit}], lines[{state.visit}], switches"
    )


def _from_layout(layout: Layout, length: int) -> Mapping[str, Any]:
    for memory in MEMORY[:3]:
        if memory != "channels_last" or layout.ndim == 4:
            known = packed(layout.size, memory)
            if (known.stride, known.storage_offset) == (layout.stride, layout.storage_offset):
                return {"size": layout.size, "memory": memory, "given": None}
    return {"size": layout.size, "memory": GIVEN, "given": HeaderState(**header_of(layout, length))}


TRAVERSAL = Explorer(
    name="traversal",
    title="Traversal and cache lines",
    about="Memory comes in lines. Visit every element, and count how often another line is used.",
    initial=Visits(),
    controls=(
        ints_field("size", "size", because=COUNTS, hint="4, 8"),
        Choice("memory", "in memory", MEMORY),
        Choice("loops", "loops", LOOPS),
        Choice("line", "bytes in a line", LINES),
        whole_field("visit", "visit", because="Visits are counted from 0."),
        Button("back", "Back", lambda state: stepped(state, -1)),
        Button("step", "Step", lambda state: stepped(state, +1)),
        Button(
            "play",
            "Play",
            lambda state: stepped(state, +1),
            every=seconds,
            begin=begun,
            beside=("speed",),
        ),
        Choice("speed", "speed", SPEEDS),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
    held=_held,
    begins=lambda state: state.given.layout if state.given else None,
)
