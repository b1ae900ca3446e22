"""Visits to every element of a tensor, one after another: in which order, and where they lead."""

from dataclasses import dataclass, replace
from math import prod

from stridekit.explorers.header_state import HeaderState
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

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
