"""What a picture's elements hold: those that are shown are read, and become shades.

What lies close together is read at once, and sorted out afterwards by slices: a picture of some
thousand pixels takes a millisecond. Positions outside the storage are known before and not read.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite, isnan
from sys import float_info
from typing import Any, NamedTuple

from stridekit.diagrams.scenes.pixel_words import CALL
from stridekit.errors import ArgumentError, DTypeError, InteropError, quoted
from stridekit.layouts.layout import Layout, contiguous_stride, count
from stridekit.tensors.dtypes import BY_NAME, DType
from stridekit.tensors.interop import Subject
from stridekit.tensors.storage import Storage

# Black and white are no further from 0.
MOST = float_info.max
# These shades nobody tells apart.
DARK = bytes(range(16))


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


# How plain numbers are made, by how a dtype begins or by library; and real ones of complex ones.
_PLAIN = {"r": "x['name'], one of its fields", "q": "x.dequantize()", "numpy": "x.astype(float)"}
_REAL = {"stridekit": "x.torch().abs()", "numpy": "abs(x)"}


def pixel_dtype(subject: Subject) -> DType:
    """The dtype of a picture.

    Raises DTypeError for one whose values have no brightness, InteropError where there is no
    memory.
    """
    if not subject.readable:
        raise InteropError(
            f"{CALL}: this tensor has a header and no memory, so it has no pixels. Give one with "
            "memory."
        )
    dtype, name, library = BY_NAME.get(subject.dtype), subject.dtype, subject.library
    if dtype is None or dtype.kind == "complex":
        way_out = _PLAIN.get(name[0]) or _PLAIN.get(library, "x.float()")
        why = "its bytes are not plain numbers"
        if name.startswith("complex"):
            why, way_out = "a complex number has no brightness", _REAL.get(library, "x.abs()")
        raise DTypeError(f"{CALL}: this tensor is of dtype {name}, and {why}. Draw {way_out}.")
    return dtype


def scale_of(dtype: DType, low: object, high: object) -> Scale:
    """Black and white as said; else 0 and 255 for whole numbers, 0 and 1 for all others.

    Raises ArgumentError for what is not a number, or no span.
    """
    most = 255.0 if dtype.kind == "int" else 1.0
    black, white = (
        _level(name, usual if value is None else value)
        for name, value, usual in (("low", low, 0.0), ("high", high, most))
    )
    # A span that no float holds cannot be divided by.
    if not black < white or not isfinite(white - black):
        raise ArgumentError(
            f"{CALL}: low={black:g} is the value shown as black and high={white:g} the one shown "
            "as white, so low is the lesser one."
        )
    return Scale(black, white, (black, white) == (0.0, most))


def _level(name: str, value: Any) -> float:
    """A number of Python's or NumPy's, or a tensor of one element, such as x.min()."""
    number = value.item() if getattr(value, "ndim", None) == 0 else value
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not -MOST <= number <= MOST:
        raise ArgumentError(f"{CALL}: {name} is a number, and {quoted(value)} is none.")
    return float(number)


def shades_of(dtype: DType, memory: bytes, readable: bytes | None, scale: Scale) -> Shades:
    """The brightness of each element. What was not to be read is 0, and counts nowhere."""
    if scale.usual and dtype.name == "uint8":
        return Shades(memory)
    # None is complex; pixel_dtype has seen to that.
    values: list[float] = dtype.unpack(memory)  # type: ignore[assignment]
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
    """What became of values that are no shade of grey, or none that anybody sees."""
    # Without these nothing is left, and not all are 0.
    if scale.usual and any(shades.memory) and not shades.memory.translate(None, DARK):
        yield f"{what}: nearly black, for white is {scale.high:g}. Say high=x.max()."
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


def _one_by_one(values: list[float], readable: bytes | None, scale: Scale) -> Shades:
    shades = bytearray(len(values))
    beyond = nan = 0
    for number, value in enumerate(values):
        if readable is not None and not readable[number]:
            continue
        if isnan(value):
            nan += 1
            continue
        # Less than black or more than white, if it is further off than rounding.
        level = int(min(max((value - scale.low) * scale.factor + 0.5, -1.0), 256.0))
        beyond += not 0 <= level < 256
        shades[number] = min(max(level, 0), 255)
    return Shades(bytes(shades), beyond, nan)


# Reading: those that are shown, in few reads, and nothing outside.


# So many elements may be read for one that is shown.
DENSE = 64


class Elements(NamedTuple):
    """Elements in row-major order, as bytes, and a flag for each: 1 where it could be read.

    There are no flags where all could. What could not be read is zero.
    """

    memory: bytes
    readable: bytes | None


def read_elements(subject: Subject, layout: Layout) -> Elements:
    """The elements at each index of a header over the subject's storage, in row-major order.

    The header may leave the storage. The itemsize is 1, 2, 4 or 8 bytes.
    """
    if not layout.numel:
        return Elements(b"", None)
    if (parts := subject.span) > 1:
        # Positions count bytes: each byte of an element is read as an element of its own.
        in_bytes = Layout.over([*layout.dims, (parts, 1)], layout.storage_offset)
        memory, flags = read_elements(replace(subject, span=1), in_bytes)
        whole = flags and bytes(map(min, *(flags[part::parts] for part in range(parts))))
        return Elements(memory, whole)
    itemsize, length = subject.itemsize, subject.storage_length
    # Dims from the longest step to the shortest; those inside of the cut lie close together.
    dims = sorted(range(layout.ndim), key=lambda dim: -abs(layout.stride[dim]))
    size = tuple(layout.size[dim] for dim in dims)
    stride = tuple(layout.stride[dim] for dim in dims)
    for cut in range(layout.ndim + 1):
        inner = Layout(size[cut:], stride[cut:])
        low, high = inner.reach or (0, 0)
        if high - low < DENSE * inner.numel:
            break
    span = high + 1 - low
    source, holes = bytearray(), list[range]()
    for start in Layout(size[:cut], stride[:cut], layout.storage_offset + low).positions():
        # What of it lies in the storage; the rest is zero, and not known.
        first = min(max(start, 0), start + span)
        end = max(min(start + span, length), first)
        begun = len(source) // itemsize
        places = range(first * itemsize, end * itemsize)
        inside = subject.bytes_at(places, 1) if places else b""
        source += bytes((first - start) * itemsize) + inside
        source += bytes((start + span - end) * itemsize)
        holes += range(begun, begun + first - start), range(begun + end - start, begun + span)
        unwritten = subject.unwritten(range(first, end))
        holes += (range(begun + at - start, begun + at - start + 1) for at in unwritten)
    # From there each element is taken to its place, the pieces one after another.
    apart = (*(step * span for step in contiguous_stride(size[:cut])), *stride[cut:])
    steps = tuple(apart[dims.index(dim)] for dim in range(layout.ndim))
    gathered = Layout(layout.size, steps, -low)
    known = bytearray(b"\1") * (len(source) // itemsize if any(holes) else 0)
    for hole in holes if known else ():
        known[hole.start : hole.stop] = bytes(len(hole))
    flags = bytes(Storage.wrap(known).gather(gathered, 1)) if known else b""
    memory = bytes(Storage.wrap(source).gather(gathered, itemsize))
    return Elements(memory, flags if 0 in flags else None)
