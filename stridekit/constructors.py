"""New tensors on new storages."""

import math
import struct
from typing import Any

from stridekit.dtypes import DType, as_dtype, float32, int64
from stridekit.errors import ArgumentError, DTypeError, SizeError
from stridekit.layout import Ints, Layout, numel
from stridekit.storage import Number, Storage
from stridekit.tensor import Tensor, sizes_of


def zeros(*size: Any, dtype: DType | str = float32) -> Tensor:
    """A new row-major tensor of zeros.

    Raises SizeError for a negative size, ArgumentError for what is no size.

    >>> zeros(2, 3).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    kind = as_dtype(dtype)
    shape = _checked("zeros", sizes_of("zeros", size), kind)
    return Tensor(Layout.of(shape), Storage(numel(shape) * kind.itemsize), kind)


def arange(
    start: Number, end: Number | None = None, step: Number = 1, *, dtype: DType | str | None = None
) -> Tensor:
    """The numbers from start up to but not including end, on a new storage.

    One argument is the end. The dtype is int64 when all are ints, else float32, as in torch.
    Raises SizeError when the step is 0 or points away from the end.

    >>> arange(6).tolist()
    [0, 1, 2, 3, 4, 5]
    >>> arange(1, 2, 0.25).dtype
    stridekit.float32
    """
    if end is None:
        start, end = 0, start
    for name, bound in (("start", start), ("end", end), ("step", step)):
        if not isinstance(bound, int | float):
            raise ArgumentError(f"arange: {name} is a number, and {bound!r} is not.")
        if not math.isfinite(bound):
            raise SizeError(f"arange: {name} is {bound}, and the range has to end somewhere.")
    whole = all(isinstance(bound, int) for bound in (start, end, step))
    kind = as_dtype(dtype) if dtype is not None else (int64 if whole else float32)
    if kind.code == "?":
        raise DTypeError("arange: there is no range of bool. Give a number dtype.")
    if step == 0:
        raise SizeError("arange: the step is 0, so the range would never end.")
    if (end - start) * step < 0:
        raise SizeError(
            f"arange: a step of {step} leads from {start} away from {end}. Change its sign."
        )
    count = -((start - end) // step) if whole else math.ceil((end - start) / step)
    shape = _checked("arange", (int(count),), kind)
    values = [start + i * step for i in range(shape[0])]
    if not kind.is_floating_point:
        bits = 8 * kind.itemsize
        low = 0 if kind.code.isupper() else -(1 << (bits - 1))
        values = [(int(value) - low) % (1 << bits) + low for value in values]
    packed = bytearray(struct.pack(f"={len(values)}{kind.code}", *values))
    return Tensor(Layout.of(shape), Storage.wrap(packed), kind)


def _checked(call: str, size: Ints, dtype: DType) -> Ints:
    if any(n < 0 for n in size):
        raise SizeError(f"{call}{size}: a size counts elements, so it is not negative.")
    if numel(size) * dtype.itemsize >= 1 << 63:
        raise SizeError(f"{call}{size}: so many elements of {dtype.name} fit no memory.")
    return size
