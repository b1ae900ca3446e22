"""What hands can take hold of beside fields: cells of a picture, dims in an order, slices' edges.

The page moves what is held at once; what comes of it is decided here, as changes of the state.
"""

from dataclasses import dataclass
from typing import Any

from stridekit.explorers.explorer import MisreadError, Problem
from stridekit.layouts.layout import Ints, Layout


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a picture: of the grid `name` at an index, or the slot of a strip (no index).

    `section` counts the picture's storages from 0, and `position` its slots, in elements.
    """

    section: int
    name: str
    index: Ints | None
    position: int


def index_of(cell: Cell, layout: Layout) -> Ints | None:
    """The index of a cell in a tensor; that of the first element that lies in a slot.

    None where it is not there: on a far server a click may be on a picture that is gone.

    >>> index_of(Cell(0, "x", None, 6), Layout.of((3, 4))), index_of(
    ...     Cell(0, "x", (3, 0), 12), Layout.of((3, 4))
    ... )
    ((1, 2), None)
    """
    if cell.index is None:
        return layout.index_at(cell.position)
    fits = len(cell.index) == layout.ndim and all(
        0 <= i < n for i, n in zip(cell.index, layout.size, strict=True)
    )
    return cell.index if fits else None


@dataclass(frozen=True, slots=True)
class Chips:
    """The dims of a tensor in an order that can be changed: `order`, told by `labels`."""

    field: str
    label: str
    order: Ints
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edges:
    """A slice of one dim, from `start` up to `stop` in steps of `step`, of `length` elements."""

    dim: int
    length: int
    start: int
    stop: int
    step: int = 1


Handle = Chips | Edges


def read_cell(content: Any) -> Cell:
    """A cell as the page tells it. Raises MisreadError for what no page of ours says."""
    try:
        index = content["index"]
        return Cell(
            int(content["section"]),
            str(content["name"]),
            None if index is None else tuple(map(int, index)),
            int(content["address"]),
        )
    except (KeyError, TypeError, ValueError):
        raise _misread() from None


def read_edges(content: Any) -> Edges:
    """Edges as the page tells them. Raises MisreadError for what no page of ours says."""
    try:
        dim, start, stop, step = (int(content[name]) for name in ("dim", "start", "stop", "step"))
    except (KeyError, TypeError, ValueError):
        raise _misread() from None
    return Edges(dim, max(stop, 0), max(start, 0), max(stop, 0), max(step, 1))


def _misread() -> MisreadError:
    return MisreadError(Problem("That cannot be taken hold of.", "The page says what is none."))
