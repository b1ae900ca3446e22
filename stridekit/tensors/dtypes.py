"""The dtypes: a name, a size in bytes, how elements become bytes and back, how dtypes meet.

Sizes are in bytes, in the machine's own byte order. Where two dtypes meet, kinds go up (bool, int,
float, complex), then sizes (c10/core/ScalarType.h).
"""

import math
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from stridekit.errors import DTypeError, SizeError, ValueRangeError, quoted

Number = bool | int | float | complex
Kind = Literal["bool", "int", "float", "complex"]
# The greatest finite numbers.
_GREATEST = {
    "float16": 65504.0,
    "bfloat16": 255 / 128 * 2.0**127,
    "float32": (2 - 2.0**-23) * 2.0**127,
    "float64": sys.float_info.max,
}
_ORDER: tuple[Kind, ...] = ("bool", "int", "float", "complex")


@dataclass(frozen=True, slots=True)
class DType:
    """An element type: its torch name, its size in bytes, its `struct` code, its kind.

    >>> int64.itemsize
    8
    >>> int64
    stridekit.int64
    """

    name: str
    itemsize: int
    code: str
    kind: Kind

    def __reduce__(self) -> tuple[object, ...]:
        # There is one object for each dtype, copies and pickles included.
        return as_dtype, (self.name,)

    def pack(self, values: Iterable[Number]) -> bytearray:
        """The bytes of some values, which are of this dtype already.

        >>> int16.pack([1, 2]).hex()
        '01000200'
        """
        numbers = list(values)
        if self.kind == "complex":
            numbers = [part for z in map(complex, numbers) for part in (z.real, z.imag)]
        if self.name == "bfloat16":
            numbers = [_to_bfloat16(complex(x).real) for x in numbers]
        layout = f"={len(numbers)}{self.code}"
        try:
            return bytearray(struct.pack(layout, *numbers))
        except OverflowError:
            # A float that is too large for its dtype becomes infinite, as in C.
            return bytearray().join(self._pack_one(x) for x in numbers)

    def unpack(self, memory: "bytes | bytearray | memoryview") -> list[Number]:
        """The elements that some bytes hold.

        >>> float16.unpack(float16.pack([0.1]))
        [0.0999755859375]
        """
        count = len(memory) // struct.calcsize(f"={self.code}")
        numbers: list[Number] = list(struct.unpack(f"={count}{self.code}", memory))
        if self.kind == "complex":
            parts = iter(numbers)
            return [complex(real, imag) for real, imag in zip(parts, parts, strict=True)]
        if self.name == "bfloat16":
            return [_from_bfloat16(x) for x in numbers]  # type: ignore[arg-type]
        return numbers

    def cast(self, value: Number) -> Number:
        """A value of another dtype as one of this, as C converts: whole numbers wrap around.

        Raises ValueRangeError for what is not a number where a whole number is needed: C
        leaves the result open.

        >>> uint8.cast(-1), int64.cast(3.7), bool_.cast(0.5)
        (255, 3, True)
        """
        if isinstance(value, complex) and self.kind not in ("complex", "bool"):
            value = value.real
        if self.kind == "bool":
            return bool(value)
        if self.kind == "complex":
            return complex(value)
        if self.kind == "float":
            return float(value)  # type: ignore[arg-type]
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueRangeError(f"{value} is not a whole number, so {self.name} cannot hold it.")
        low, high = self.limits
        return (int(value) - low) % (high - low + 1) + low  # type: ignore[arg-type]

    def hold(self, call: str, value: Number) -> Number:
        """A plain number as one of this dtype; refused where it does not fit, as torch does.

        A fraction is cut off, a negative whole number wraps into an unsigned dtype. Raises
        ValueRangeError (c10/util/TypeCast.h, checked_convert).

        >>> int8.hold("fill_", 3.7)
        3
        """
        if self.kind == "bool":
            return bool(value)
        if self.kind == "complex":
            part = float64 if self == complex128 else float32
            z = complex(value)
            for each in (z.real, z.imag):
                part.hold(call, each)
            return z
        if isinstance(value, complex):
            if value.imag != 0:
                raise ValueRangeError(
                    f"{call}({value}): {self.name} has no imaginary part. Use a complex dtype."
                )
            value = value.real
        if self.kind == "float":
            if math.isfinite(value) and abs(value) > _GREATEST[self.name]:
                raise ValueRangeError(
                    f"{call}({value}): the greatest {self.name} is {_GREATEST[self.name]:.6g}."
                )
            return float(value)
        low, high = self.limits
        least = -high if low == 0 and isinstance(value, int) else low
        if not math.isfinite(value) or not least <= value <= high:
            raise ValueRangeError(
                f"{call}({value}): {self.name} holds numbers from {low} to {high}."
            )
        return self.cast(value)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest number of a whole-number dtype."""
        span = 1 << 8 * self.itemsize
        return (0, span - 1) if self.code.isupper() else (-span // 2, span // 2 - 1)

    def _pack_one(self, value: Number) -> bytes:
        try:
            return struct.pack(f"={self.code}", value)
        except OverflowError:
            return struct.pack(f"={self.code}", math.copysign(math.inf, value))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"stridekit.{self.name}"


def _to_bfloat16(value: float) -> int:
    """The upper half of the float32, rounded to the nearest, ties to even."""
    if math.isnan(value):
        return 0x7FC0
    (bits,) = struct.unpack("=I", float32.pack([value]))
    return int(bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def _from_bfloat16(bits: int) -> float:
    (value,) = struct.unpack("=f", struct.pack("=I", bits << 16))
    return float(value)


bool_ = DType("bool", 1, "?", "bool")
uint8 = DType("uint8", 1, "B", "int")
uint16 = DType("uint16", 2, "H", "int")
uint32 = DType("uint32", 4, "I", "int")
uint64 = DType("uint64", 8, "Q", "int")
int8 = DType("int8", 1, "b", "int")
int16 = DType("int16", 2, "h", "int")
int32 = DType("int32", 4, "i", "int")
int64 = DType("int64", 8, "q", "int")
float16 = DType("float16", 2, "e", "float")
bfloat16 = DType("bfloat16", 2, "H", "float")
float32 = DType("float32", 4, "f", "float")
float64 = DType("float64", 8, "d", "float")
complex64 = DType("complex64", 8, "f", "complex")
complex128 = DType("complex128", 16, "d", "complex")

ALL = (
    bool_,
    *(uint8, uint16, uint32, uint64),
    *(int8, int16, int32, int64),
    *(float16, bfloat16, float32, float64),
    *(complex64, complex128),
)
BY_NAME = {dtype.name: dtype for dtype in ALL}
_OF_TYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def as_dtype(dtype: "DType | str | type") -> DType:
    """The dtype that a `DType`, a name such as "int64", or a Python type stands for.

    Python's float and complex have 64 bits in each part, as in torch. Raises DTypeError for
    anything else.

    >>> as_dtype("float32").itemsize
    4
    """
    if isinstance(dtype, DType):
        return dtype
    name = _OF_TYPES.get(dtype) if isinstance(dtype, type) else dtype
    found = BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        raise DTypeError(
            f"{quoted(dtype)} is not a dtype of stridekit. Choose one of {', '.join(BY_NAME)}."
        )
    return found


def kind_of(value: Number) -> Kind:
    """The kind of a plain number."""
    if isinstance(value, bool):
        return "bool"
    return "int" if isinstance(value, int) else "float" if isinstance(value, float) else "complex"


def can_hold_kind(dtype: DType, kind: Kind) -> bool:
    """Whether a result of that kind may be written in place: kinds only ever go up.

    >>> can_hold_kind(int64, "float"), can_hold_kind(float32, "int")
    (False, True)
    """
    return _ORDER.index(kind) <= _ORDER.index(dtype.kind)


# What a plain number is, where nothing else decides.
DEFAULTS: dict[Kind, DType] = {"bool": bool_, "int": int64, "float": float32, "complex": complex64}
_BARE = (uint16, uint32, uint64)
# Of two dtypes the later one of `ALL` has room for both, but for these.
_ROOM_FOR = {
    frozenset((uint8, int8)): int16,
    frozenset((float16, bfloat16)): float32,
    frozenset((float64, complex64)): complex128,
}


def promote(a: DType, b: DType) -> DType:
    """The least dtype that has room for both, by torch's table.

    Raises SizeError where torch has no answer: uint16, uint32 and uint64 mix with floats alone.

    >>> from stridekit import float16, bfloat16, int8, uint8
    >>> promote(int8, uint8), promote(float16, bfloat16), promote(int64, float16)
    (stridekit.int16, stridekit.float32, stridekit.float16)
    """
    if a == b:
        return a
    for one, other in ((a, b), (b, a)):
        if one in _BARE and other.kind != "float":
            raise SizeError(
                f"{a.name} and {b.name} have no dtype in common, here as in torch: uint16, uint32 "
                "and uint64 mix with floats alone. Convert one of them: to(dtype)."
            )
    return _ROOM_FOR.get(frozenset((a, b))) or max(a, b, key=ALL.index)
