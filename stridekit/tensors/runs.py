"""Runs: a layout as evenly stepped pieces of memory, which is how elements are moved."""

from collections.abc import Iterator
from math import prod
from typing import Literal

from stridekit.layouts.layout import Layout

# Codes that carry so many bytes without looking at them. (memoryview knows no float16, so
# elements are moved as unsigned integers of the same size.)
_CARRIER: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}


def stepped(start: int, count: int, step: int) -> slice:
    """So many places from `start` on; backwards, a slice that ends at the first has no stop."""
    stop = start + (count - 1) * step + (1 if step > 0 else -1)
    return slice(start, stop if stop >= 0 else None, step)


def carried(layout: Layout, itemsize: int) -> tuple[Layout, Literal["B", "H", "I", "Q"]]:
    """The layout in units that a memoryview can move: 16 bytes are two units of 8."""
    if itemsize in _CARRIER:
        return layout, _CARRIER[itemsize]
    parts = itemsize // 8
    return split_units(layout, parts), "Q"


def in_bytes(layout: Layout, itemsize: int) -> Layout:
    """The layout in single bytes."""
    return split_units(layout, itemsize)


def split_units(layout: Layout, parts: int) -> Layout:
    """The layout in units of which each element has so many."""
    return Layout(
        (*layout.size, parts),
        (*(step * parts for step in layout.stride), 1),
        layout.storage_offset * parts,
    )


def runs_of(layout: Layout) -> Iterator[tuple[int, int, int, int, int]]:
    """The layout as evenly stepped runs: start, length, step, and start and step in the copy.

    Dims that continue each other are merged first; the longest dim left makes the runs.
    """
    # (size, step in storage, step in the row-major copy), the last dim first
    dims: list[tuple[int, int, int]] = []
    to_step = 1
    for n, step in zip(reversed(layout.size), reversed(layout.stride), strict=True):
        if n != 1:
            if dims and step == dims[-1][0] * dims[-1][1] and to_step == dims[-1][0] * dims[-1][2]:
                dims[-1] = (dims[-1][0] * n, dims[-1][1], dims[-1][2])
            else:
                dims.append((n, step, to_step))
        to_step *= n
    if not dims:
        yield layout.storage_offset, 1, 1, 0, 1
        return
    longest = max(range(len(dims)), key=lambda dim: dims[dim][0])
    run, step, to_step = dims.pop(longest)
    for flat in range(prod(n for n, _, _ in dims)):
        start, to = layout.storage_offset, 0
        for n, outer_step, outer_to in dims:
            flat, i = divmod(flat, n)
            start += i * outer_step
            to += i * outer_to
        yield start, run, step, to, to_step
