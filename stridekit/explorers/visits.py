"""The explorer of traversal: visits one after another, and the cache lines that they touch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit.diagrams import draw
from stridekit.explorers.core import Choice, Explorer, Press, Problem, Shown
from stridekit.explorers.given import Given, header_of, problem_of
from stridekit.explorers.reading import ints_field, spell, whole_field
from stridekit.layout import Ints, Layout, contiguous_stride

ITEMSIZE = 8
LINES = ("8", "16", "32", "64", "128", "256")
MEMORY = ("row-major", "column-major", "channels_last")
LOOPS = ("rows: last dim innermost", "columns: first dim innermost", "channels innermost")


@dataclass(frozen=True, slots=True)
class Visits:
    """A tensor in memory order, the loops that visit it, and how far they are."""

    size: Ints = (4, 8)
    memory: str = MEMORY[0]
    loops: str = LOOPS[1]
    line: str = "32"
    visit: int = 0

    @property
    def layout(self) -> Layout:
        """The tensor's header."""
        ndim = len(self.size)
        order: Ints = tuple(range(ndim))
        if self.memory == "column-major":
            order = order[::-1]
        elif self.memory == "channels_last":
            order = (0, 2, 3, 1)
        packed = contiguous_stride(tuple(self.size[dim] for dim in order))
        stride = dict(zip(order, packed, strict=True))
        return Layout(self.size, tuple(stride[dim] for dim in range(ndim)))

    @property
    def order(self) -> Ints:
        """The dims, from the outermost loop to the innermost."""
        dims = tuple(range(len(self.size)))
        if self.loops == LOOPS[1]:
            return dims[::-1]
        return (0, 2, 3, 1) if self.loops == LOOPS[2] else dims

    def positions(self) -> list[int]:
        """Where each visit leads, in order."""
        layout = self.layout
        size = tuple(layout.size[dim] for dim in self.order)
        stride = tuple(layout.stride[dim] for dim in self.order)
        return [*Layout(size, stride).positions()]

    def index(self, visit: int) -> Ints:
        """The index of a visit."""
        index = dict.fromkeys(self.order, 0)
        for dim in reversed(self.order):
            visit, index[dim] = divmod(visit, self.size[dim])
        return tuple(index[dim] for dim in range(len(self.size)))


def _change(state: Visits, changes: Mapping[str, Any]) -> Visits:
    new = replace(state, **changes)
    # Another way starts at its beginning.
    return new if "visit" in changes else replace(new, visit=0)


def _problem(state: Visits) -> Problem | None:
    problem = problem_of(Given(state.size, contiguous_stride(state.size)))
    if problem is not None:
        return replace(problem, changes={"size": problem.changes.get("size", state.size)})
    count = prod(state.size)
    if not count:
        size = tuple(max(n, 1) for n in state.size)
        return Problem(
            f"Size {state.size} has no elements.",
            "There is nothing to visit.",
            f"size {size}",
            {"size": size},
        )
    if "channels" in state.memory + state.loops and len(state.size) != 4:
        return Problem(
            f"channels are for 4 dims (N, C, H, W), and there are {len(state.size)}.",
            "Without them, choose rows or columns.",
            "size (1, 3, 2, 4)",
            {"size": (1, 3, 2, 4)},
        )
    if not 0 <= state.visit < count:
        nearest = min(max(state.visit, 0), count - 1)
        return Problem(
            f"There is no visit {state.visit}.",
            f"The visits are 0 to {count - 1}.",
            f"visit {nearest}",
            {"visit": nearest},
        )
    return None


def _show(state: Visits) -> Shown:
    line = int(state.line)
    lines = [position * ITEMSIZE // line for position in state.positions()]
    switches = [n == 0 or lines[n] != lines[n - 1] for n in range(len(lines))]
    here = state.visit
    tensor = Given(state.size, state.layout.stride).tensor()
    index = state.index(here)
    moved = "another line" if switches[here] else "the same line as before"
    total = sum(switches)
    spelled = spell(index) if index else ""
    picture = draw(tensor, title="x", traverse=state.order, line=line, select=index)
    return Shown(
        f"Visit {here} of {len(lines)}: [{spelled}] at position {state.positions()[here]}, line "
        f"{lines[here]}, {moved}. {sum(switches[: here + 1])} of {total} line switches so far.",
        (picture,),
        (
            f"{len(set(lines))} lines of {line} bytes hold these elements; the way switches "
            f"between them {total} times, the first visit included.",
            "The fewer switches, the more of each line is used while it is at hand.",
        ),
        question=f"How many line switches does the whole way make, {state.loops.split(':')[0]}?",
        truth=str(total),
        given=(draw(tensor, title="x"),),
    )


def _stepped(state: Visits, by: int) -> Visits:
    return replace(state, visit=min(max(state.visit + by, 0), prod(state.size) - 1))


def _code(state: Visits) -> str:
    made = f"x = torch.arange({prod(state.size)}).view({list(state.size)})"
    if state.memory == "column-major":
        dims = list(range(len(state.size)))[::-1]
        made += f"\nx = x.permute({dims}).contiguous().permute({dims})  # {state.memory}"
    elif state.memory == "channels_last":
        made += "\nx = x.contiguous(memory_format=torch.channels_last)"
    return (
        f"import torch\n\n{made}\nvisited = x.permute({list(state.order)}).flatten()\n"
        f"visited[:{state.visit + 1}]  # the elements in the order of the visits"
    )


def _from_layout(layout: Layout, length: int) -> Mapping[str, Any]:
    return {"size": header_of(layout, length)["size"]}


TRAVERSAL = Explorer(
    name="traversal",
    title="Traversal and cache lines",
    about="Memory comes in lines. Visit every element, and count how often another line is used.",
    initial=Visits(),
    controls=(
        ints_field("size", "size", hint="4, 8"),
        Choice("memory", "in memory", MEMORY),
        Choice("loops", "loops", LOOPS),
        Choice("line", "bytes in a line", LINES),
        whole_field("visit", "visit"),
        Press("back", "Back", lambda state: _stepped(state, -1)),
        Press("step", "Step", lambda state: _stepped(state, +1)),
        Press("play", "Play", lambda state: _stepped(state, +1), every=0.4),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
)
