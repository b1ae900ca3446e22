"""Reading a picture's elements: those that are shown, in few reads, and nothing outside.

What lies close together is read at once, and sorted out afterwards by slices: a picture of some
thousand pixels takes a millisecond. Positions outside the storage are known before and not read.
"""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Literal, NamedTuple

from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Subject

# So many elements may be read for one that is shown.
DENSE = 64
# Codes that carry so many bytes without looking at them, as in Storage.
_CARRIER: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Elements(NamedTuple):
    """Elements in row-major order, as bytes, and a flag for each: 1 where it could be read.

    There are no flags where all could. What could not be read is zero.
    """

    memory: bytes
    readable: bytes | None


class Run(NamedTuple):
    """Elements evenly spaced: how many, where in the storage, and where in what is put together."""

    size: int
    start: int
    step: int
    to: int
    to_step: int


class _Dim(NamedTuple):
    size: int
    step: int
    to_step: int


class _Shape(NamedTuple):
    """What parts with the same dims share: their runs, and how far they reach, from one at 0."""

    dims: Sequence[_Dim]
    runs: list[Run]
    below: int
    above: int


def read_elements(subject: Subject, layout: Layout) -> Elements:
    """The elements at each index of a header over the subject's storage, in row-major order.

    The header may leave the storage. The itemsize is 1, 2, 4 or 8 bytes.
    """
    itemsize, length = subject.itemsize, subject.storage_length
    gathered, flags = bytearray(layout.numel * itemsize), bytearray(b"\1") * layout.numel
    target = memoryview(gathered).cast(_CARRIER[itemsize])
    shape: _Shape | None = None
    for start, to, part in _parts(layout.storage_offset, 0, _dims_of(layout)):
        # Parts are alike, mostly: only where they begin is not.
        if shape is None or shape.dims is not part:
            shape = _shape_of(part)
        low, end = max(start - shape.below, 0), min(start + shape.above + 1, length)
        clipped = end - low <= shape.below + shape.above
        if low >= end:
            for run in shape.runs:
                flags[_where(run, to)] = bytes(run.size)
            continue
        memory = subject.read_bytes(range(low * itemsize, end * itemsize))
        source = memoryview(memory).cast(_CARRIER[itemsize])
        unwritten = subject.unwritten(range(low, end))
        if not clipped and not unwritten:
            for run in shape.runs:
                _copy(source, target, run, low - start, to)
            continue
        known = bytearray(b"\1") * (end - low)
        for position in unwritten:
            known[position - low] = 0
        for run in shape.runs:
            flags[_where(run, to)] = bytes(run.size)
            there = inside(run._replace(start=run.start + start), length)
            if there is not None:
                _copy(source, target, there, low, to)
                _copy(memoryview(known), memoryview(flags), there, low, to)
    return Elements(bytes(gathered), None if 0 not in flags else bytes(flags))


def inside(run: Run, length: int) -> Run | None:
    """The part of a run that lies in a storage of so many elements; None if nothing does.

    >>> inside(Run(10, -3, 2, 0, 1), 4)
    Run(size=2, start=1, step=2, to=2, to_step=1)
    """
    size, start, step, to, to_step = run
    if step == 0:
        return run if 0 <= start < length else None
    # The first and the last one, counted along the run: -(-a // b) rounds up.
    near, far = (-start, length - 1 - start) if step > 0 else (start - length + 1, start)
    first, last = max(-(-near // abs(step)), 0), min(far // abs(step), size - 1)
    if first > last:
        return None
    return Run(last - first + 1, start + first * step, step, to + first * to_step, to_step)


def runs_of(layout: Layout) -> Iterator[Run]:
    """The header as runs along its longest dim, in any order; `to` counts in row-major order."""
    if layout.numel:
        yield from _runs(layout.storage_offset, 0, _dims_of(layout))


def _dims_of(layout: Layout) -> list[_Dim]:
    """Its dims of more than one element, the longest step first."""
    dims, to_step = [], 1
    for size, step in zip(reversed(layout.size), reversed(layout.stride), strict=True):
        if size != 1:
            dims.append(_Dim(size, step, to_step))
        to_step *= size
    return sorted(dims, key=_length_of_step, reverse=True)


def _length_of_step(dim: _Dim) -> int:
    return abs(dim.step)


def _parts(start: int, to: int, dims: Sequence[_Dim]) -> Iterator[tuple[int, int, Sequence[_Dim]]]:
    """A header cut along its longest steps, until what is left lies close together."""
    if not all(dim.size for dim in dims):
        return
    span = 1 + sum([(dim.size - 1) * abs(dim.step) for dim in dims])
    if span <= DENSE * prod(dim.size for dim in dims):
        yield start, to, dims
        return
    first, rest = dims[0], dims[1:]
    for i in range(first.size):
        yield from _parts(start + i * first.step, to + i * first.to_step, rest)


def _shape_of(dims: Sequence[_Dim]) -> _Shape:
    hops = [(dim.size - 1) * dim.step for dim in dims]
    below = -sum(hop for hop in hops if hop < 0)
    return _Shape(dims, [*_runs(0, 0, dims)], below, sum(hop for hop in hops if hop > 0))


def _runs(start: int, to: int, dims: Sequence[_Dim]) -> Iterator[Run]:
    if not dims:
        yield Run(1, start, 1, to, 1)
        return
    longest = max(dims)
    others = [dim for dim in dims if dim is not longest]
    for flat in range(prod(dim.size for dim in others)):
        at, there = start, to
        for dim in others:
            flat, i = divmod(flat, dim.size)
            at += i * dim.step
            there += i * dim.to_step
        yield Run(longest.size, at, longest.step, there, longest.to_step)


def _where(run: Run, origin: int) -> slice:
    """Where a run's elements belong in what is put together, of a part that begins at `origin`."""
    to = origin + run.to
    return slice(to, to + (run.size - 1) * run.to_step + 1, run.to_step)


def _copy(
    source: "memoryview[int]", target: "memoryview[int]", run: Run, low: int, origin: int
) -> None:
    """Copy a run out of memory that begins at position `low`, of a part that begins at `origin`."""
    size, start, step, _, _ = run
    where = _where(run, origin)
    at = start - low
    if step == 0:
        values = source[at : at + 1]
        target[where] = memoryview(values.tobytes() * size).cast(values.format)  # type: ignore[call-overload]
        return
    stop = at + (size - 1) * step + (1 if step > 0 else -1)
    target[where] = source[at : stop if stop >= 0 else None : step]
