"""Promotion: the dtype that a result has when several dtypes, or plain numbers, meet.

Kinds go up (bool, int, float, complex), then sizes. Among operands of the lower kind, tensors with
dims count before tensors of rank 0, and those before plain numbers (c10/core/ScalarType.h and
ATen/native/TypeProperties.cpp).
"""

from collections.abc import Iterable
from functools import reduce

from stridekit.errors import SizeError
from stridekit.tensors.dtypes import (
    BY_NAME,
    DType,
    Kind,
    bool_,
    complex64,
    complex128,
    float32,
    float64,
    int16,
    int64,
)

# What a plain number is, where nothing else decides.
DEFAULTS: dict[Kind, DType] = {"bool": bool_, "int": int64, "float": float32, "complex": complex64}
_LADDER = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
_BARE = ("uint16", "uint32", "uint64")


def promote(a: DType, b: DType) -> DType:
    """The least dtype that has room for both, by torch's table.

    Raises SizeError where torch has no answer: uint16, uint32 and uint64 mix with floats alone.

    >>> from stridekit import float16, bfloat16, int8, uint8
    >>> promote(int8, uint8), promote(float16, bfloat16), promote(int64, float16)
    (stridekit.int16, stridekit.float32, stridekit.float16)
    """
    if a == b:
        return a
    if a.name in _BARE or b.name in _BARE:
        for one in (a, b):
            if one.kind == "float":
                return one
        raise SizeError(
            f"{a.name} and {b.name} have no dtype in common, here as in torch: uint16, uint32 and "
            "uint64 mix with floats alone. Convert one of them: to(dtype)."
        )
    if "complex" in (a.kind, b.kind):
        wide = (complex128, float64)
        return complex128 if a in wide or b in wide else complex64
    names = {a.name, b.name}
    if "bfloat16" in names:
        (other,) = names - {"bfloat16"}
        if BY_NAME[other].kind != "float":
            return BY_NAME["bfloat16"]
        return float32 if other == "float16" else BY_NAME[other]
    if names == {"uint8", "int8"}:
        return int16
    return max(a, b, key=lambda dtype: _LADDER.index(dtype.name))


def result_dtype(
    dims: Iterable[DType], ranks_0: Iterable[DType] = (), numbers: Iterable[Kind] = ()
) -> DType:
    """The dtype in which tensors with dims, tensors of rank 0 and plain numbers meet.

    >>> from stridekit import float64, int8
    >>> result_dtype([int8], [float64], ["int"]), result_dtype([int8], [], ["float"])
    (stridekit.float64, stridekit.float32)
    """
    groups = [list(dims), list(ranks_0), [DEFAULTS[kind] for kind in numbers]]
    found: DType | None = None
    for group in groups:
        if group:
            common = reduce(promote, group)
            found = common if found is None else _combined(found, common)
    assert found is not None
    return found


def _combined(higher: DType, lower: DType) -> DType:
    """What tensors make of operands that count less: they give their kind, and no size."""
    if lower.kind == "complex" and higher.kind == "float":
        return complex128 if higher == float64 else complex64
    if higher.kind == "complex" or higher.kind == "float":
        return higher
    if lower.kind == "complex" and higher.name in _BARE:
        return lower
    if higher == bool_ or lower.kind in ("float", "complex"):
        return promote(higher, lower)
    return higher
