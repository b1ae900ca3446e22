"""What the exercises of ps6 share: pictures of bytes, and cache lines in reading order."""

import random
from collections.abc import Mapping
from itertools import cycle, groupby, product
from typing import Any, Literal, NamedTuple

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Plain, TensorData
from stridekit_course.checks.exercise import Given
from stridekit_course.checks.pictures import LONGEST, as_layout, draw_tensors
from stridekit_course.checks.returns import listed
from stridekit_course.checks.strategies import (
    IN_TABLES,
    RUN_TOGETHER,
    counting,
    crossed_layouts,
    header,
    small_layouts,
)

DTYPES = {1: "uint8", 2: "int16", 4: "int32", 8: "int64", 16: "complex128"}


class ByteHeader(NamedTuple):
    """A header, counted in elements of so many bytes.

    As `(size, stride, storage_offset)` it may be anything: somebody returned it. A Layout is
    one of ours, and may have negative strides.
    """

    header: Plain
    itemsize: int
    library: Literal["torch", "numpy"] = "torch"


def draw_over_bytes(shown: Mapping[str, ByteHeader], **options: Any) -> Diagram | None:
    """Headers by name over one storage that counts in elements of the first one.

    What is no header, does not fit on a page, or has elements that no dtype has, is left out.
    None if nothing is left.
    """
    kept = {
        name: (each, layout)
        for name, each in shown.items()
        if each.itemsize in DTYPES
        and (layout := each.header if isinstance(each.header, Layout) else as_layout(each.header))
        and _end(layout) * each.itemsize <= LONGEST
    }
    if not kept:
        return None
    unit = max(each.itemsize for each, _ in kept.values())
    nbytes = max(_end(layout) * each.itemsize for each, layout in kept.values())
    nbytes += -nbytes % unit
    first = next(iter(kept.values()))[0].itemsize
    # Complex numbers are too wide for a page.
    counted = min(first, 8)
    storage = counting(DTYPES[counted], nbytes // counted)
    tensors = {
        name: TensorData(each.library, DTYPES[each.itemsize], *header(layout), storage)
        for name, (each, layout) in kept.items()
    }
    return draw_tensors(tensors, **options)


def draw_array(shape: Ints, byte_strides: Ints, itemsize: int) -> Diagram | None:
    """A NumPy array; its bytes, where no dtype has that itemsize, or a stride is not in elements.

    Then a last dim is added, which goes through the bytes of one element.
    """
    if 0 in shape:
        return None
    if itemsize not in DTYPES or any(step % itemsize for step in byte_strides):
        given = ByteHeader(from_zero((*shape, itemsize), (*byte_strides, 1)), 1)
        return draw_over_bytes({"the bytes, the last dim within one element": given})
    return draw_over_bytes({"array": array(shape, byte_strides, itemsize)})


def array(shape: Ints, byte_strides: Ints, itemsize: int) -> ByteHeader:
    """A NumPy array whose byte strides are multiples of the itemsize."""
    stride = tuple(step // itemsize for step in byte_strides)
    return ByteHeader(from_zero(shape, stride), itemsize, "numpy")


def from_zero(size: Ints, stride: Ints) -> Layout:
    """The layout whose lowest position is 0, also with negative strides."""
    reach = Layout(size, stride).reach
    return Layout(size, stride, 0 if reach is None else -reach[0])


def _end(layout: Layout) -> int:
    return max(layout.needed, layout.storage_offset + 1)


# Itemsizes and lines: no powers of two among them, one element to a line, and up to 128.
_BYTES = (
    *((4, 8), (3, 12), (4, 64), (1, 5), (12, 36), (8, 32), (6, 6), (2, 8), (16, 64), (24, 48)),
    *((1, 128), (1, 64)),
)
# What the same header may lie on: so that no part of a case can be left out of account.
_ONE_HEADER = (Layout((4,), (1,)), Layout((2, 3), (1, 4)), Layout((3, 2), (4, 1)))
# Rows and columns, lines that are left and visited again, far positions.
_LARGE = (
    *(((10, 12), (1, 10)), ((12, 10), (13, 1)), ((20, 20), (20, 1)), ((15, 2), (0, 1))),
    *(((11,), (16,)), ((100,), (3,)), ((2, 5, 4, 3), (60, 1, 15, 5)), ((3, 3), (50_000, 1))),
    *(((3, 2), (65_536, 1)), ((2, 2, 2), (40_000, 60_000, 1)), ((13, 3), (1, 15_000))),
)


# No position lies so far out, as the texts say it.
FAR_MOST = 200_000


def line_cases(hidden: bool, chance: random.Random) -> Given:
    """Small and larger headers, under cache lines of one element to sixteen.

    At most 7 dims and 400 elements, and positions below FAR_MOST.
    """
    for layout, offset in product(_ONE_HEADER, (0, 1, 2, 3, 10, 17)):
        for units in _BYTES if hidden else _BYTES[:5]:
            yield layout.size, layout.stride, offset, *units
    turns = cycle(_BYTES)
    steps = (0, 1, 2, 3, 5) if hidden else (0, 1, 3)
    for layout in small_layouts(2, steps, least=0 if hidden else 1):
        yield layout, 4, 8
        if layout.numel > 1:
            yield layout.size, layout.stride, chance.choice((1, 2, 3)), *next(turns)
    for (size, stride), offset in product(_LARGE, (0, 5)):
        yield size, stride, offset, *next(turns)
    yield from ((each, 1, 1) for each in (*RUN_TOGETHER, *IN_TABLES))
    yield from (((6,), (1,), 123_457, *units) for units in _BYTES[:3])
    # To a float, 49 × (2 / 98) is less than 1.
    yield (50,), (1,), 0, 2, 98
    for layout, row in crossed_layouts(
        chance,
        range(8),
        offsets=(0, 0, 1, 3, 10, 300),
        most=300,
        times=3 if hidden else 1,
        units=_BYTES,
        far=(1, 1, 1, 7, 100),
    ):
        far = row.far if (layout.needed - 1) * row.far < FAR_MOST else 1
        stride = tuple(step * far for step in layout.stride)
        yield layout.size, stride, layout.storage_offset, *row.units


def are_lines_late(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, _line: int
) -> tuple[object, ...]:
    """First what lies at the start and without gaps, then gaps, then offsets.

    So a mistake about one of them shows where nothing else can be to blame. With two or three
    elements much is right by chance, and not every itemsize can be drawn.
    """
    few = Layout(size, stride).numel < 4
    gaps = stride != contiguous_stride(size)
    return few, itemsize not in DTYPES, storage_offset > 0, gaps


def lines_of(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int
) -> tuple[list[int], list[int]]:
    """The positions in reading order, and the line that each lies on."""
    positions = [*Layout(size, stride, storage_offset).positions()]
    return positions, [position * itemsize // line for position in positions]


def distinct_lines(*given: Any) -> int:
    """How many different lines the elements lie on."""
    return len({*lines_of(*given)[1]})


def switches(*given: Any) -> int:
    """How often the line changes on the way, the first one included."""
    return sum(1 for _ in groupby(lines_of(*given)[1]))


def where(size: Ints, stride: Ints, storage_offset: int, itemsize: int, line: int) -> str:
    """Which positions and lines reading visits, in words."""
    positions, lines = lines_of(size, stride, storage_offset, itemsize, line)
    if not positions:
        return "there are no elements, so no line is visited"
    holds = line // itemsize
    many = "" if holds == 1 else "s"
    return (
        f"a line of {line} bytes holds {holds} element{many}, so position p is on line "
        f"p // {holds}. {_visited(positions, lines)}"
    )


def _visited(positions: list[int], lines: list[int]) -> str:
    if len(lines) == 1:
        return f"The only position is {positions[0]}, on line {lines[0]}"
    return f"In reading order the positions are {listed(positions)}, on the lines {listed(lines)}"


def draw_lines(_: object, __: object, *arguments: Any) -> Diagram | None:
    """The tensor of a case, its cache lines, and the visits."""
    *given, itemsize, line = arguments
    if 0 in given[0]:
        return None
    return draw_over_bytes({"tensor": ByteHeader((*given,), itemsize)}, traverse=True, line=line)
