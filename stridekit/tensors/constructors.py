"""New tensors: from lists, from numbers, of a header, and on memory that somebody else owns."""

import math
from typing import Any

from stridekit.errors import (
    ArgumentError,
    BufferExportError,
    CapsuleError,
    MagnitudeError,
    NoNumberError,
    SizeError,
    StepError,
    UnorderedError,
    ValueRangeError,
    WideIntError,
    needing,
)
from stridekit.layouts.layout import Layout
from stridekit.layouts.whole_numbers import WIDEST, a_type, counting, sizes_of, spell_long
from stridekit.tensors.dtypes import DType, Number, as_dtype, float32, int64
from stridekit.tensors.header import checked
from stridekit.tensors.inputs import as_number, flattened, foreign, require_plain
from stridekit.tensors.storage import Storage, allocated
from stridekit.tensors.tensor import Tensor, new

AnyDType = DType | str | type | None


def tensor(data: Any, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A copy, always: of nested lists of numbers, of an array, or of a tensor.

    The dtype is the least that has room for all: Python's numbers count as bool, int64, float32
    and complex64, NumPy's numbers and arrays and other tensors bring their own. A copy of an array
    or tensor keeps its strides as `clone` does.
    Raises ConversionError for ragged lists, ValueRangeError for a number that does not fit, and
    ArgumentError or NoNumberError for what is not a number.

    >>> tensor([[1, 2], [3, 4]]).shape
    (2, 2)
    >>> tensor([1, 2.5]).dtype
    stridekit.float32
    """
    require_plain("tensor", options)
    asked = None if dtype is None else as_dtype(dtype)
    found = data if isinstance(data, Tensor) else foreign("tensor", data, Tensor)
    if found is not None:
        return found.to(asked, copy=True)
    try:
        nest = flattened("tensor", data)
    except NoNumberError as error:
        if asked is None:
            raise
        # With a dtype torch asks for numbers, without one it looks for their dtype.
        raise ArgumentError(str(error)) from None
    kind = asked or nest.dtype
    return new(nest.size, kind, kind.pack(_stored(kind, value) for value in nest.values))


def zeros(*args: Any, size: Any = None, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A new row-major tensor of zeros; float32 unless a dtype is given.

    Raises SizeError for a negative size, ArgumentError for what is not a size, StorageError where
    there is not so much memory.

    >>> zeros(2, 3).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return _zeros("zeros", args, size, dtype, options)


def ones(*args: Any, size: Any = None, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A new row-major tensor of ones. Raises as `zeros` does."""
    return _zeros("ones", args, size, dtype, options).fill_(1)


def _zeros(
    call: str, args: tuple[Any, ...], size: Any, dtype: AnyDType, options: dict[str, Any]
) -> Tensor:
    require_plain(call, options)
    kind = float32 if dtype is None else as_dtype(dtype)
    layout = checked(Layout.of(counting(call, sizes_of(call, args, size))), None, kind)
    return Tensor(layout, Storage(layout.numel * kind.itemsize), kind)


_NOT_GIVEN = object()


def arange(
    start: Any = _NOT_GIVEN,
    end: Any = _NOT_GIVEN,
    step: Any = 1,
    *,
    dtype: AnyDType = None,
    **options: Any,
) -> Tensor:
    """The numbers from start up to but not including end, on a new storage.

    One argument is the end. The dtype is int64 when all are ints, else float32, as in torch. For a
    dtype of whole numbers the three are cut to whole numbers first. Raises SizeError when the step
    leads nowhere or away from the end, ValueRangeError for whole bounds that int64 cannot hold,
    MagnitudeError for those past 64 bits (ATen/native/RangeFactories.cpp).

    >>> arange(6).tolist()
    [0, 1, 2, 3, 4, 5]
    >>> arange(1, 2, 0.25).dtype
    stridekit.float32
    """
    require_plain("arange", options)
    if start is _NOT_GIVEN or end is _NOT_GIVEN:
        start, end = 0, end if start is _NOT_GIVEN else start
    given = [_bound("start", start), _bound("end", end), _bound("step", step)]
    whole = all(isinstance(bound, int) for bound in given)
    kind = as_dtype(dtype) if dtype is not None else (int64 if whole else float32)
    if kind.kind in ("bool", "complex"):
        raise UnorderedError(f"arange: there is no range of {kind.name}. Give a number dtype.")
    if whole and kind is int64:
        for bound in given:
            int64.hold("arange", bound)
    cut = [int(bound) for bound in given] if kind.kind == "int" else given
    # torch counts with what was given, but for int64, where it counts with what was cut.
    first, last, hop = cut if kind is int64 else given
    if (given[1] - given[0]) * given[2] < 0:
        raise SizeError(
            f"arange: a step of {given[2]} leads from {given[0]} away from {given[1]}. Change its "
            "sign."
        )
    if hop == 0:
        raise (SizeError if given[2] == 0 else StepError)(
            f"arange: the step is 0 in {kind.name}, so the range would never end."
        )
    exact = all(isinstance(bound, int) for bound in (first, last, hop))
    count = int(-((first - last) // hop) if exact else math.ceil((last - first) / hop))
    # Before the numbers are counted out: whether there is room for them.
    allocated(count * kind.itemsize)
    numbers = (cut[0] + i * cut[2] for i in range(count))
    return new((count,), kind, kind.pack(map(kind.cast, numbers)))


# On memory that somebody else owns: shared, not copied.


def from_numpy(array: Any) -> Tensor:
    """A tensor on the array's own memory: writes are seen on both sides.

    Sizes are the array's, strides its byte_strides divided by its itemsize. Refuses what
    torch.from_numpy refuses: negative byte_strides, byte_strides that are no multiple of the
    itemsize, and foreign byte order (ConversionError); dtypes that torch does not have
    (InteropError). A read-only array stays read-only.

    >>> import numpy as np
    >>> grid = np.arange(6).reshape(2, 3)
    >>> shared = from_numpy(grid)
    >>> grid[0, 1] = 100
    >>> shared.tolist()
    [[0, 100, 2], [3, 4, 5]]
    """
    with needing("from_numpy", "numpy"):
        from stridekit.tensors.interop.numpy import shared_numpy

    return Tensor(*shared_numpy("from_numpy", array))


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
    with needing("from_torch", "torch"):
        from stridekit.tensors.interop.torch import shared_torch

    return Tensor(*shared_torch("from_torch", x))


def as_tensor(data: Any, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A stridekit tensor, NumPy array or torch tensor on its own memory; lists are copied.

    What offers its memory by DLPack is shared, too. Another dtype makes a copy.

    >>> import numpy as np
    >>> array = np.zeros(2)
    >>> shared = as_tensor(array)
    >>> array[0] = 5
    >>> shared.tolist()
    [5.0, 0.0]
    """
    require_plain("as_tensor", options)
    shared = _whole_tensor("as_tensor", data)
    return tensor(data, dtype) if shared is None else shared.to(dtype=dtype)


def from_dlpack(x: Any) -> Tensor:
    """A new tensor on the memory that an object offers by DLPack: writes are seen on both sides.

    Raises CapsuleError for what offers none, InteropError for what cannot be shared here.

    >>> import numpy as np
    >>> from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]
    """
    shared = _whole_tensor("from_dlpack", x)
    if shared is None:
        raise CapsuleError(f"from_dlpack: {a_type(x)} offers no memory by DLPack.")
    return shared.detach()


def _whole_tensor(call: str, data: Any) -> Tensor | None:
    """The tensor that something is, on its own memory; None where it is a number or lists of them.

    Raises what `from_numpy` and `from_torch` raise, and BufferExportError for a torch tensor that
    requires grad: autograd would not see what is written here.
    """
    if getattr(data, "requires_grad", False) is True:
        raise BufferExportError(
            f"{call}: this torch tensor requires grad, and autograd would not see what is written "
            "here. Give x.detach()."
        )
    return data if isinstance(data, Tensor) else foreign(call, data, Tensor)


def _stored(dtype: DType, value: Number) -> Number:
    """A number as it is put into a new tensor: floats round, to infinity if they must."""
    if dtype.kind in ("int", "float") and isinstance(value, complex):
        raise ArgumentError(f"tensor({value}): {dtype.name} has no imaginary part.")
    if dtype.kind == "bool":
        return bool(value)
    if dtype.kind in ("float", "complex"):
        try:
            return dtype.cast(value)
        except OverflowError:
            raise MagnitudeError(
                f"tensor: {spell_long(int(value.real))} is too large for any float."
            ) from None
    if dtype.name == "uint64" and not isinstance(value, int):
        raise ArgumentError(f"tensor({value}): uint64 takes whole numbers alone.")
    if dtype.name == "uint64" and isinstance(value, int) and value < 0:
        raise MagnitudeError(f"tensor({value}): uint64 holds no negative numbers.")
    widest = 2 * WIDEST + 1 if dtype.name == "uint64" else WIDEST
    if isinstance(value, int) and not -WIDEST - 1 <= value <= widest:
        raise WideIntError(f"tensor: {spell_long(value)} does not fit the 64 bits of int64.")
    return dtype.hold("tensor", value)


def _bound(name: str, value: Any) -> int | float:
    if value is None or value is _NOT_GIVEN:
        raise ArgumentError(f"arange: {name} is a number, and none is given.")
    number = as_number(f"arange: {name}", value)
    if isinstance(number, complex):
        raise ValueRangeError(f"arange: {name} is {number}, and complex numbers have no order.")
    if not math.isfinite(number):
        raise SizeError(f"arange: {name} is {number}, and the range has to end somewhere.")
    return number
