"""What a picture's elements hold: those that are shown are read, and become shades.

What lies close together is read at once, and sorted out afterwards by slices: a picture of some
thousand pixels takes a millisecond. Positions outside the storage are known before and not read.
"""

from collections.abc import Iterator, Sequence
from math import isfinite, isnan, prod
from operator import and_
from typing import Literal, NamedTuple

from stridekit.diagrams.scenes.captions import count
from stridekit.errors import ArgumentError, DTypeError
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import BY_NAME, DType, Number
from stridekit.tensors.interop import Subject


class Scale(NamedTuple):
    """Which value is black and which is white. `usual` where nobody has chosen them."""

    low: float
    high: float
    usual: bool

    @property
    def factor(self) -> float:
        """How many of 255 steps a difference of 1 makes."""
        return 255 / (self.high - self.low)


class Shades(NamedTuple):
    """A byte for each value; how many lay beyond black or white, and how many were nan."""

    memory: bytes
    beyond: int = 0
    nan: int = 0


def pixel_dtype(call: str, name: str) -> DType:
    """The dtype of a picture. Raises DTypeError for one whose values have no brightness."""
    dtype = BY_NAME.get(name)
    if dtype is None or dtype.kind == "complex":
        why = "a complex number has no brightness" if dtype else "its bytes are no plain numbers"
        way_out = "x.abs()" if dtype else "x.float()"
        raise DTypeError(f"{call}: this tensor is of dtype {name}, and {why}. Draw {way_out}.")
    return dtype


def scale_of(call: str, dtype: DType, low: object, high: object) -> Scale:
    """Black and white as said; else 0 and 255 for whole numbers, 0 and 1 for all others.

    Raises ArgumentError for what is no number, or no span.
    """
    most = 255.0 if dtype.kind == "int" else 1.0
    given = [0.0 if low is None else low, most if high is None else high]
    for name, value in zip(("low", "high"), given, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ArgumentError(f"{call}: {name} is a number, and {value!r:.40} is none.")
    black, white = (float(value) for value in given)  # type: ignore[arg-type]
    # A span that no float holds cannot be divided by.
    if not black < white or not isfinite(white - black):
        raise ArgumentError(
            f"{call}: low={black:g} is the value shown as black and high={white:g} the one shown "
            "as white, so low is the lesser one."
        )
    return Scale(black, white, (black, white) == (0.0, most))


def shades_of(dtype: DType, memory: bytes, readable: bytes | None, scale: Scale) -> Shades:
    """The brightness of each element. What was not to be read is 0, and counts nowhere."""
    if scale.usual and dtype.name == "uint8":
        return Shades(memory)
    if dtype.itemsize == 1:
        return _by_table(dtype, memory, readable, scale)
    values = _real(dtype.unpack(memory))
    low, factor = scale.low, scale.factor
    try:
        # What is no byte is refused here, and then looked at closely.
        if scale.usual and dtype.kind == "int":
            return Shades(bytes(values))  # type: ignore[arg-type]
        if low == 0:
            return Shades(bytes([int(value * factor + 0.5) for value in values]))
        return Shades(bytes([int((value - low) * factor + 0.5) for value in values]))
    except (ValueError, OverflowError):
        return _one_by_one(values, readable, scale)


def beyond_note(what: str, shades: Shades, scale: Scale, dtype: DType) -> Iterator[str]:
    """What became of values that are no shade of grey."""
    if shades.beyond:
        advice = ""
        if scale.usual and dtype.kind == "float":
            advice = " If 255 is white, say high=255."
        yield (
            f"{what}: {count(shades.beyond, 'value')} below {scale.low:g} or above {scale.high:g} "
            f"shown as black or white.{advice}"
        )
    if shades.nan:
        yield f"{what}: {count(shades.nan, 'value')} nan, shown as black."


def _by_table(dtype: DType, memory: bytes, readable: bytes | None, scale: Scale) -> Shades:
    """One byte tells all, so each of the 256 that there are is worked out once."""
    every = _real(
        dtype.unpack(bytes(range(256)))
        if dtype.kind == "int"
        else [bool(code) for code in range(256)]
    )
    outside = bytes(not 0 <= _level(value, scale) < 256 for value in every)
    beyond = 0
    if any(outside):
        seen = readable or b"\1" * len(memory)
        beyond = sum(map(and_, memory.translate(outside), seen))
    return Shades(memory.translate(bytes(_kept(_level(value, scale)) for value in every)), beyond)


def _one_by_one(values: list[float], readable: bytes | None, scale: Scale) -> Shades:
    shades = bytearray(len(values))
    beyond = nan = 0
    for number, value in enumerate(values):
        if readable is not None and not readable[number]:
            continue
        if isnan(value):
            nan += 1
            continue
        level = _level(value, scale)
        beyond += not 0 <= level < 256
        shades[number] = _kept(level)
    return Shades(bytes(shades), beyond, nan)


def _level(value: float, scale: Scale) -> int:
    """A value as a shade, which may be less than black or more than white.

    What is no further off than rounding is not.
    """
    level = (value - scale.low) * scale.factor + 0.5
    return int(min(max(level, -1.0), 256.0))


def _kept(level: int) -> int:
    return min(max(level, 0), 255)


def _real(values: list[Number]) -> list[float]:
    """Numbers that are not complex; pixel_dtype has seen to that."""
    return values  # type: ignore[return-value]


# Reading: those that are shown, in few reads, and nothing outside.


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


class ElementRun(NamedTuple):
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
    runs: list[ElementRun]
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


def inside(run: ElementRun, length: int) -> ElementRun | None:
    """The part of a run that lies in a storage of so many elements; None if nothing does.

    >>> inside(ElementRun(10, -3, 2, 0, 1), 4)
    ElementRun(size=2, start=1, step=2, to=2, to_step=1)
    """
    size, start, step, to, to_step = run
    if step == 0:
        return run if 0 <= start < length else None
    # The first and the last one, counted along the run: -(-a // b) rounds up.
    near, far = (-start, length - 1 - start) if step > 0 else (start - length + 1, start)
    first, last = max(-(-near // abs(step)), 0), min(far // abs(step), size - 1)
    if first > last:
        return None
    return ElementRun(last - first + 1, start + first * step, step, to + first * to_step, to_step)


def runs_of(layout: Layout) -> Iterator[ElementRun]:
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


def _runs(start: int, to: int, dims: Sequence[_Dim]) -> Iterator[ElementRun]:
    if not dims:
        yield ElementRun(1, start, 1, to, 1)
        return
    longest = max(dims)
    others = [dim for dim in dims if dim is not longest]
    for flat in range(prod(dim.size for dim in others)):
        at, there = start, to
        for dim in others:
            flat, i = divmod(flat, dim.size)
            at += i * dim.step
            there += i * dim.to_step
        yield ElementRun(longest.size, at, longest.step, there, longest.to_step)


def _where(run: ElementRun, origin: int) -> slice:
    """Where a run's elements belong in what is put together, of a part that begins at `origin`."""
    to = origin + run.to
    return slice(to, to + (run.size - 1) * run.to_step + 1, run.to_step)


def _copy(
    source: "memoryview[int]", target: "memoryview[int]", run: ElementRun, low: int, origin: int
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
