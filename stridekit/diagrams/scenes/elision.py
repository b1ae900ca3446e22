"""Which elements and slots a diagram shows, and where. The cost follows what is shown.

Up to 256 elements are shown whole, if they fit a page. Beyond, each dim shows its first and last
indices and whatever must not be missing, and the strip shows what the grids do.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import prod
from operator import itemgetter, mul
from typing import NamedTuple

from stridekit.diagrams.scenes.scene import LEFT_OUT, Track, Way
from stridekit.layouts.layout import Ints, Layout

# So many elements are shown whole, and never more cells than that.
CELLS = 256
# Of a dim that is cut short so many indices remain at either end, if there is room for them.
ENDS = 5
# What a page has room for.
COLUMNS = 32
ROWS = 32
BLOCKS = 6
# A strip of so many slots is shown whole, and never more slots than that. Of one that is cut short
# so many slots are shown wherever they lie; where more are wanted, so many pieces are enough.
SLOTS = 256
SCATTERED = 64
RUNS = 6
# At either end of a strip that is cut short so many slots remain.
STRIP_ENDS = 3
# A run of slots that is left out is at least so long.
BREAK_LEAST = 4

Line = tuple[int | None, ...]


class DimDirection(NamedTuple):
    """Which way the indices of a dim run, and how many dims run that way further inside."""

    way: Way
    level: int


def dim_directions(ndim: int) -> tuple[DimDirection, ...]:
    """Where each dim goes in a grid.

    The last dim runs across, the one before it down, and so on in turns for the last four; dims
    before those lead from block to block. Of rank 3, dim 0 runs across as well: slabs from left
    to right.

    >>> [each.way for each in dim_directions(4)]
    ['down', 'across', 'down', 'across']
    """
    if ndim == 3:
        return DimDirection("across", 1), DimDirection("down", 0), DimDirection("across", 0)
    ways: tuple[Way, ...] = ("down", "across")
    turns = tuple(DimDirection(way, level) for level in (1, 0) for way in ways)
    lead = tuple(DimDirection("lead", level) for level in reversed(range(max(ndim - 4, 0))))
    return lead + turns[max(4 - ndim, 0) :]


class Element(NamedTuple):
    """An element that a grid shows: where it stands there, its index, and its position."""

    block: int
    row: int
    column: int
    index: Ints  # type: ignore[assignment] # as in Cell
    position: int


class ShownElements(NamedTuple):
    """Which elements of a layout a grid shows, and its rows, columns and blocks, as a Grid's."""

    rows: tuple[Track, ...]
    columns: tuple[Track, ...]
    blocks: tuple[str, ...]
    elements: tuple[Element, ...]


# A header is often drawn again with other values, or with another element selected.
@lru_cache(maxsize=256)
def shown_elements(
    layout: Layout, keep: tuple[Ints, ...] = (), columns: int = COLUMNS
) -> ShownElements:
    """Which elements are shown in a page of so many columns; those at `keep` are among them."""
    if not layout.numel:
        return ShownElements((), (), (), ())
    lines, stride = shown_lines(layout, keep, columns), layout.stride
    directions = dim_directions(layout.ndim)
    lead, down, across = (
        [dim for dim, direction in enumerate(directions) if direction.way == way]
        for way in ("lead", "down", "across")
    )
    rows, tracks = (
        _tracks([(lines[dim], directions[dim].level) for dim in dims]) for dims in (down, across)
    )
    shown_rows = _shown(rows, [stride[dim] for dim in down])
    shown_columns = _shown(tracks, [stride[dim] for dim in across])
    # Tracks hold the indices of every other dim; this puts them in the order of the dims.
    order = [*lead, *down, *across]
    in_order: Callable[[Ints], Ints] = tuple
    if order != sorted(order):
        in_order = itemgetter(*map(order.index, range(layout.ndim)))
    blocks: list[str] = []
    elements: list[Element] = []
    for number, outer in enumerate(shown_leads(layout.size[: len(lead)], keep)):
        if outer is None:
            blocks.append(LEFT_OUT)
            continue
        blocks.append(f"[{', '.join(map(str, outer))}, ...]" if outer else "")
        start = layout.storage_offset + sum(map(mul, outer, stride))
        for row, inner, hop in shown_rows:
            for column, innermost, step in shown_columns:
                index = in_order(outer + inner + innermost)
                elements.append(Element(number, row, column, index, start + hop + step))
    return ShownElements(rows, tracks, tuple(blocks), tuple(elements))


def as_far_as_shown(layout: Layout) -> str:
    """What to add to a sentence on all values, where some are not shown and so were not read."""
    is_whole = len(shown_elements(layout).elements) == layout.numel
    return "" if is_whole else ", as far as is shown"


def _tracks(dims: list[tuple[Line, int]]) -> tuple[Track, ...]:
    """The rows or the columns that some dims make, the first dim outermost, with their gaps."""
    tracks = [Track((), 0)]
    for line, level in dims:
        tracks = [
            Track(None if i is None else (*(outer or ()), i), level if number else before)
            for outer, before in tracks
            for number, i in enumerate(line if outer is not None else (None,))
        ]
    return tuple(tracks)


def _shown(tracks: Sequence[Track], steps: Sequence[int]) -> list[tuple[int, Ints, int]]:
    """The tracks that are not left out: number, indices, and their part of a position."""
    return [
        (number, track.index, sum(map(mul, track.index, steps)))
        for number, track in enumerate(tracks)
        if track.index is not None
    ]


def shown_lines(
    layout: Layout, keep: Sequence[Ints] = (), columns: int = COLUMNS
) -> tuple[Line, ...]:
    """For each dim the indices that are shown, in order; None where some are left out.

    `keep` are indices of elements that have to be among them. Leading dims (of rank 5 and more)
    are shown whole here; `shown_leads` picks from them.

    >>> shown_lines(Layout.of((1000, 2)))
    ((0, 1, 2, 3, 4, None, 995, 996, 997, 998, 999), (0, 1))
    """
    directions = dim_directions(layout.ndim)
    inner = [dim for dim, direction in enumerate(directions) if direction.way != "lead"]
    whole = layout.numel <= CELLS
    ends = {dim: layout.size[dim] if whole else ENDS for dim in inner}
    if not whole:
        # The same memory again and again is soon seen.
        ends |= {dim: 1 for dim in inner if layout.stride[dim] == 0}

    def shown(dim: int) -> int:
        return min(layout.size[dim], 2 * ends[dim] + 1)

    def shorten(dims: list[int], most: int) -> None:
        while prod(map(shown, dims)) > most:
            longest = max(dims, key=shown)
            if ends[longest] == 1:
                return
            ends[longest] = min(ends[longest] - 1, ENDS)

    shorten([dim for dim in inner if directions[dim].way == "across"], columns)
    shorten([dim for dim in inner if directions[dim].way == "down"], ROWS)
    leading = prod(layout.size[: layout.ndim - len(inner)])
    shorten(inner, CELLS // min(leading, BLOCKS))
    return tuple(
        _ends(n, ends[dim], {index[dim] for index in keep}, head=2 - bool(layout.stride[dim]))
        if dim in ends
        else ()
        for dim, n in enumerate(layout.size)
    )


def _ends(n: int, ends: int, keep: set[int], head: int) -> Line:
    """The first and last indices, those to keep, and None for what lies between."""
    head = max(head, ends)
    if n <= head + ends + 1:
        return tuple(range(n))
    shown: list[int | None] = []
    previous = -1
    for i in sorted({*range(head), *range(n - ends, n), *keep}):
        if i - previous == 2:
            shown.append(i - 1)
        elif i - previous > 2:
            shown.append(None)
        shown.append(i)
        previous = i
    return tuple(shown)


def shown_leads(size: Ints, keep: Sequence[Ints] = ()) -> tuple[Ints | None, ...]:
    """Of the leading dims' indices those that get a block; None where some are left out.

    >>> shown_leads((2, 2))
    ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> shown_leads((1000,))
    ((0,), (1,), None, (999,))
    """
    leads, n = Layout.of(size), prod(size)
    if n <= BLOCKS:
        numbers: Line = tuple(range(n))
    else:
        kept = {leads.position(index[: len(size)]) for index in keep}
        numbers = _ends(n, 1, kept, head=2)
    return tuple(None if number is None else leads.index_at(number) for number in numbers)


def shown_positions(
    first: int, end: int, wanted: Iterable[int], must: Iterable[int] = (), most: int = SLOTS
) -> list[int]:
    """The slots from `first` to before `end` that a strip shows, ascending.

    What is wanted, and both ends. Short gaps are filled. Where too many are wanted, those in the
    middle give way, but for what must be shown.

    >>> shown_positions(0, 1000, [500], most=16)
    [0, 1, 2, 500, 997, 998, 999]
    """
    ends = min(STRIP_ENDS, most // 2)
    kept = {*must, *range(first, min(first + ends, end)), *range(max(end - ends, first), end)}
    asked = {*wanted, *kept}
    runs = _runs(sorted(asked))
    enough = RUNS if len(asked) > SCATTERED else len(runs)
    chosen = [run for run in runs if not kept.isdisjoint(run)]
    left_over = [run for run in runs if kept.isdisjoint(run)]
    while left_over and len(chosen) < enough:
        # By turns from the beginning and from the end.
        chosen.append(left_over.pop(0))
        left_over.reverse()
    positions = sorted(position for run in chosen for position in run)
    if len(positions) > most:
        half = max(most - len(kept), 0) // 2
        positions = sorted({*positions[:half], *kept, *positions[len(positions) - half :]})
    return positions


def _runs(positions: list[int]) -> list[list[int]]:
    """Neighbours together; what is only a little apart is joined."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position - runs[-1][-1] <= BREAK_LEAST:
            runs[-1].extend(range(runs[-1][-1] + 1, position + 1))
        else:
            runs.append([position])
    return runs
