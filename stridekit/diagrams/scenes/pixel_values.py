"""Values as brightness: a byte each, 0 for black and 255 for white."""

from collections.abc import Iterator
from math import isfinite, isnan
from operator import and_
from typing import NamedTuple

from stridekit.diagrams.scenes.captions import count
from stridekit.errors import ArgumentError, DTypeError
from stridekit.tensors.dtypes import BY_NAME, DType, Number


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
