"""New tensors on new storages."""

import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from stridekit.errors import ArgumentError, DTypeError, SizeError
from stridekit.layouts.layout import Ints, Layout, as_int, numel
from stridekit.tensors.copies import flattened
from stridekit.tensors.dtypes import (
    DType,
    Kind,
    Number,
    as_dtype,
    bool_,
    complex64,
    float32,
    int64,
    kind_of,
)
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor, new
from stridekit.tensors.views import sizes_of

_DEFAULTS: dict[Kind, DType] = {"bool": bool_, "int": int64, "float": float32, "complex": complex64}


def tensor(nested: Any, dtype: DType | str | None = None) -> Tensor:
    """A copy of nested lists of numbers, always.

    The dtype is that of the widest kind of number in it: bool, int64, float32, complex64.
    Raises ShapeError for ragged lists, ValueRangeError for a number that does not fit,
    ArgumentError for what is no number.

    >>> tensor([[1, 2], [3, 4]]).shape
    (2, 2)
    >>> tensor([1, 2.5]).dtype
    stridekit.float32
    """
    size, values = flattened("tensor", nested)
    for value in values:
        if not isinstance(value, bool | int | float | complex):
            raise ArgumentError(
                f"tensor: {value!r} is no number. Give numbers in lists; from_numpy and "
                "from_torch take arrays and tensors."
            )
    kinds = {kind_of(value) for value in values} or {"float"}
    widest = max(kinds, key=list(_DEFAULTS).index)
    kind = as_dtype(dtype) if dtype is not None else _DEFAULTS[widest]
    return new(size, kind, kind.pack(kind.hold("tensor", value) for value in values))


def from_numpy(array: Any) -> Tensor:
    """A tensor on the array's own memory: writes are seen on both sides.

    Sizes are the array's, strides its byte_strides divided by its itemsize. Refuses what
    torch.from_numpy refuses: negative byte_strides (InteropStrideError), byte_strides that are
    no multiple of the itemsize (InteropStrideError), foreign byte order and dtypes that torch
    does not have (InteropError). A read-only array stays read-only.

    >>> import numpy as np
    >>> grid = np.arange(6).reshape(2, 3)
    >>> shared = from_numpy(grid)
    >>> grid[0, 1] = 100
    >>> shared.tolist()
    [[0, 100, 2], [3, 4, 5]]
    """
    from stridekit.tensors.interop.numpy import shared_numpy

    return Tensor(*shared_numpy(array))


def from_torch(x: Any) -> Tensor:
    """A tensor on the torch tensor's whole storage: writes are seen on both sides.

    The header is the same, storage_offset included. As with `x.numpy()`, the torch storage
    can no longer be resized, so the memory stays where it is.
    Raises InteropError for what has no such memory: other devices, sparse, quantised or
    requires_grad tensors, and dtypes that stridekit does not have.

    >>> import torch
    >>> grid = torch.arange(6).view(2, 3)
    >>> shared = from_torch(grid.t())
    >>> shared.stride()
    (1, 3)
    >>> _ = grid.fill_(7)
    >>> shared[0].tolist()
    [7, 7]
    """
    from stridekit.tensors.interop.torch import shared_torch

    return Tensor(*shared_torch(x))


def as_tensor(data: Any, dtype: DType | str | None = None) -> Tensor:
    """A stridekit tensor, NumPy array or torch tensor on its own memory; lists are copied.

    A dtype that differs makes a copy, too.

    >>> import numpy as np
    >>> array = np.zeros(2)
    >>> shared = as_tensor(array)
    >>> array[0] = 5
    >>> shared.tolist()
    [5.0, 0.0]
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if isinstance(data, Tensor):
        shared = data
    elif numpy is not None and isinstance(data, numpy.ndarray):
        shared = from_numpy(data)
    elif torch is not None and isinstance(data, torch.Tensor):
        shared = from_torch(data)
    else:
        return tensor(data, dtype)
    return shared if dtype is None else shared.to(dtype)


def zeros(*size: Any, dtype: DType | str = float32) -> Tensor:
    """A new row-major tensor of zeros.

    Raises SizeError for a negative size, ArgumentError for what is no size.

    >>> zeros(2, 3).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    kind = as_dtype(dtype)
    shape = _checked("zeros", sizes_of("zeros", size), kind)
    return new(shape, kind, bytearray(numel(shape) * kind.itemsize))


def ones(*size: Any, dtype: DType | str = float32) -> Tensor:
    """A new row-major tensor of ones. Raises as `zeros` does."""
    return zeros(*size, dtype=dtype).fill_(1)


def full(
    size: Sequence[SupportsIndex], fill_value: Number, *, dtype: DType | str | None = None
) -> Tensor:
    """A new row-major tensor of one number; its dtype is that of the number.

    Raises as `zeros` does, and ValueRangeError when the dtype cannot hold the number.

    >>> full((2,), True).dtype
    stridekit.bool
    """
    if not isinstance(fill_value, bool | int | float | complex):
        raise ArgumentError(f"full: fill_value is a number, and {fill_value!r} is not.")
    kind = _DEFAULTS[kind_of(fill_value)] if dtype is None else as_dtype(dtype)
    return zeros(tuple(size), dtype=kind).fill_(fill_value)


def empty_strided(
    size: Sequence[SupportsIndex],
    stride: Sequence[SupportsIndex],
    *,
    dtype: DType | str = float32,
) -> Tensor:
    """A new tensor with that size and stride, over the least storage that holds it.

    Its elements are zeros here; torch leaves them open. Raises LayoutError or SizeError.

    >>> empty_strided((2, 3), (1, 2)).untyped_storage().nbytes()
    24
    """
    kind = as_dtype(dtype)
    layout = Layout.of(size, stride)
    if min(layout.stride, default=0) < 0:
        raise SizeError(f"empty_strided: stride {layout.stride} has a negative entry.")
    reach = layout.reach
    length = 0 if reach is None else reach[1] + 1
    _checked("empty_strided", (length,), kind)
    return Tensor(layout, Storage(length * kind.itemsize), kind)


def arange(
    start: Number, end: Number | None = None, step: Number = 1, *, dtype: DType | str | None = None
) -> Tensor:
    """The numbers from start up to but not including end, on a new storage.

    One argument is the end. The dtype is int64 when all are ints, else float32, as in torch.
    Raises SizeError when the step is 0 or points away from the end, and ValueRangeError for whole
    bounds that int64 cannot hold.

    >>> arange(6).tolist()
    [0, 1, 2, 3, 4, 5]
    >>> arange(1, 2, 0.25).dtype
    stridekit.float32
    """
    if end is None:
        start, end = 0, start
    bounds: list[int | float] = []
    for name, bound in (("start", start), ("end", end), ("step", step)):
        if not isinstance(bound, int | float):
            raise ArgumentError(f"arange: {name} is a number, and {bound!r} is not.")
        if not math.isfinite(bound):
            raise SizeError(f"arange: {name} is {bound}, and the range has to end somewhere.")
        bounds.append(bound)
    first, last, hop = bounds
    whole = all(isinstance(bound, int) for bound in bounds)
    kind = as_dtype(dtype) if dtype is not None else (int64 if whole else float32)
    if kind.kind in ("bool", "complex"):
        raise DTypeError(f"arange: there is no range of {kind.name}. Give a number dtype.")
    if hop == 0:
        raise SizeError("arange: the step is 0, so the range would never end.")
    if (last - first) * hop < 0:
        raise SizeError(
            f"arange: a step of {hop} leads from {first} away from {last}. Change its sign."
        )
    count = -((first - last) // hop) if whole else math.ceil((last - first) / hop)
    shape = _checked("arange", (int(count),), kind)
    numbers: Iterable[Number] = (first + i * hop for i in range(shape[0]))
    if kind is int64 and whole:
        for bound in bounds:
            int64.hold("arange", bound)
    else:
        numbers = map(kind.cast, numbers)
    return new(shape, kind, kind.pack(numbers))


def _checked(call: str, size: Ints, dtype: DType) -> Ints:
    if any(n < 0 for n in size):
        raise SizeError(f"{call}{size}: a size counts elements, so it is not negative.")
    if numel(size) * dtype.itemsize >= 1 << 47:
        raise SizeError(f"{call}{size}: so many elements of {dtype.name} fit no memory.")
    return tuple(as_int(call, "a size", n) for n in size)
