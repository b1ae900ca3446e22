"""What a memory diagram shows, as plain data: no pixels, no colours.

A scene has the tensor's grid above and its storage strip below. A cell of either belongs to
an *address group*, which depends on its address alone: so a transpose or a slice moves the
fills about in the grid, and never changes them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from stridekit.dtypes import Number
from stridekit.errors import ArgumentError
from stridekit.interop import Subject, subject_of
from stridekit.layout import Ints, Layout

# A grid of up to so many elements is shown whole; beyond, so many at either end of each dim.
WHOLE = 64
ENDS = 5
# A strip of up to so many positions is shown whole. A run left out is at least so long.
STRIP_WHOLE = 64
BREAK_LEAST = 4
# Colouring every element of a vector says nothing once the colours repeat.
GROUPS_OF_ONE = 7


@dataclass(frozen=True, slots=True)
class Cell:
    """One element of the tensor: its place in the grid, and the address that it shows."""

    row: int
    column: int
    index: Ints
    address: int
    text: str
    group: int


@dataclass(frozen=True, slots=True)
class DimLabel:
    """A dim's number, size and stride (in elements), and which way its indices run."""

    dim: int
    size: int
    stride: int
    across: bool

    @property
    def text(self) -> str:
        """The label as written."""
        return f"dim {self.dim} · size {self.size:,} · stride {self.stride:,}"


@dataclass(frozen=True, slots=True)
class Grid:
    """A tensor's cells. The gaps are rows and columns that stand for indices left out."""

    title: str
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    dims: tuple[DimLabel, ...]
    row_gaps: tuple[int, ...]
    column_gaps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """One storage position. Its group is None when the tensor does not reach it."""

    address: int
    text: str
    group: int | None


@dataclass(frozen=True, slots=True)
class Break:
    """Storage that is left out of the picture: so many positions from `first` on."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Strip:
    """The storage, position after position."""

    title: str
    slots: tuple[Slot | Break, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole diagram. `alt` says in words what it shows."""

    grid: Grid
    strip: Strip
    alt: str


def compose(call: str, x: object, *, title: str | None = None, values: bool = True) -> Scene:
    """The scene of one tensor of rank 0 to 2.

    Its cost follows what is shown, never the tensor's size. With `values=False` the cells show
    their addresses. Raises ArgumentError for what is no such tensor.
    """
    subject = subject_of(call, x)
    layout = subject.layout
    if layout.ndim > 2:
        raise ArgumentError(
            f"{call}: size {layout.size} has {layout.ndim} dims, and this grid has two. "
            "Pick a slice, such as x[0]."
        )
    down, across = _lines(layout)
    indices = [
        (row, column, (i, j)[2 - layout.ndim :])
        for row, i in enumerate(down)
        for column, j in enumerate(across)
        if i is not None and j is not None
    ]
    places = [(row, column, index, layout.position(index)) for row, column, index in indices]
    addresses = _strip_addresses(subject.storage_length, {place[3] for place in places})
    text_at = _texts(subject, addresses, values)
    group_of = _grouping(subject)
    cells = tuple(
        Cell(row, column, index, address, text_at[address], group_of(address))
        for row, column, index, address in places
    )
    slots = tuple(
        item
        if isinstance(item, Break)
        else Slot(item, text_at[item], group_of(item) if layout.reaches(item) else None)
        for item in _with_breaks(addresses, subject.storage_length)
    )
    dims = tuple(
        DimLabel(dim, n, step, across=dim == layout.ndim - 1)
        for dim, (n, step) in enumerate(zip(layout.size, layout.stride, strict=True))
    )
    header = (
        f"size {_spell(layout.size)} · stride {_spell(layout.stride)} · "
        f"offset {layout.storage_offset:,} · {subject.dtype}"
    )
    return Scene(
        grid=Grid(
            title=header if title is None else f"{title} · {header}",
            rows=len(down),
            columns=len(across),
            cells=cells,
            dims=dims,
            row_gaps=tuple(row for row, i in enumerate(down) if i is None),
            column_gaps=tuple(column for column, j in enumerate(across) if j is None),
        ),
        strip=Strip(
            f"storage · {_count(subject.storage_length, 'element')} of "
            f"{_count(subject.itemsize, 'byte')}",
            slots,
        ),
        alt=_alt(subject, title),
    )


def _lines(layout: Layout) -> tuple[list[int | None], list[int | None]]:
    """The indices shown down and across; None stands where some are left out."""
    whole = layout.numel <= WHOLE
    lines = [_ends(n, whole) for n in layout.size]
    while len(lines) < 2:
        lines.insert(0, [0])
    return lines[0], lines[1]


def _ends(n: int, whole: bool) -> list[int | None]:
    if whole or n <= 2 * ENDS + 1:
        return [*range(n)]
    return [*range(ENDS), None, *range(n - ENDS, n)]


def _strip_addresses(length: int, shown: set[int]) -> list[int]:
    """The positions that the strip shows, ascending: all that the grid does, and both ends."""
    if length <= STRIP_WHOLE:
        return [*range(length)]
    wanted = sorted(shown | {*range(ENDS), *range(length - ENDS, length)})
    addresses: list[int] = []
    for address in wanted:
        if addresses and address - addresses[-1] <= BREAK_LEAST:
            addresses.extend(range(addresses[-1] + 1, address))
        addresses.append(address)
    return addresses


def _with_breaks(addresses: list[int], length: int) -> Iterator[int | Break]:
    previous = -1
    for address in [*addresses, length]:
        if address - previous > 1:
            yield Break(previous + 1, address - previous - 1)
        if address < length:
            yield address
        previous = address


def _texts(subject: Subject, addresses: list[int], values: bool) -> dict[int, str]:
    if not values:
        return {address: str(address) for address in addresses}
    return dict(zip(addresses, map(value_text, subject.read(addresses)), strict=True))


def value_text(value: Number) -> str:
    """A value in at most 7 characters.

    >>> [value_text(v) for v in (12, -0.5, 3.0, 1234567890, 1 / 3, True)]
    ['12', '-0.5', '3.0', '1.2e+09', '0.333', 'True']
    """
    if isinstance(value, int):
        text = str(value)
    else:
        text = str(value) if len(str(value)) <= 5 else f"{value:.3g}"
    return text if len(text) <= 7 else f"{value:.1e}"


def _grouping(subject: Subject) -> Callable[[int], int]:
    slowest = max(_slowest_step(subject.layout), _slowest_step(subject.base))
    if slowest == 1 and subject.storage_length > GROUPS_OF_ONE:
        return lambda _: 0
    return lambda address: address // slowest


def _slowest_step(layout: Layout) -> int:
    """The longest step that some index makes: neighbours along it are a slice apart."""
    steps = (abs(step) for n, step in zip(layout.size, layout.stride, strict=True) if n > 1)
    return max(steps, default=1) or 1


def _alt(subject: Subject, title: str | None) -> str:
    layout = subject.layout
    name = "Tensor" if title is None else f"Tensor {title}"
    facts = (
        f"{name}, size {_spell(layout.size)}, stride {_spell(layout.stride)}, "
        f"offset {layout.storage_offset}, "
        f"{'contiguous' if layout.is_contiguous else 'not contiguous'}, "
        f"over a storage of {_count(subject.storage_length, 'element')}"
    )
    if not layout.numel:
        return f"{facts}; it has no elements."
    first = list(islice(layout.positions(), 8))
    more = ", …" if layout.numel > len(first) else ""
    return f"{facts}; reading order visits positions {', '.join(map(str, first))}{more}."


def _spell(numbers: Iterable[int]) -> str:
    words = [f"{n:,}" if n >= 10_000 else str(n) for n in numbers]
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
