"""New tensors on new storages: from numbers, from lists, and like another tensor."""

import math
from typing import Any

from stridekit.errors import (
    ArgumentError,
    SizeError,
    StepError,
    UnorderedError,
    ValueRangeError,
)
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.memory_formats import (
    MemoryFormat,
    contiguous_format,
    preserve_format,
    preserved_stride,
    stride_of,
)
from stridekit.layouts.whole_numbers import as_ints
from stridekit.tensors.base import TensorBase, as_format, checked
from stridekit.tensors.dtypes import DEFAULTS, DType, as_dtype, float32, int64, kind_of
from stridekit.tensors.inputs import as_number, flattened_as, foreign, require_plain
from stridekit.tensors.storage import Storage, allocated
from stridekit.tensors.tensor import Tensor, new
from stridekit.tensors.views import sizes_of

AnyDType = DType | str | type | None


def tensor(data: Any, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A copy, always: of nested lists of numbers, of an array, or of a tensor.

    The dtype is the least that has room for all: Python's numbers count as bool, int64, float32
    and complex64, NumPy's numbers and arrays and other tensors bring their own. A copy of an array
    or tensor keeps its strides as `clone` does.
    Raises ShapeError for ragged lists, ValueRangeError for a number that does not fit, and
    ArgumentError or NoNumberError for what is no number.

    >>> tensor([[1, 2], [3, 4]]).shape
    (2, 2)
    >>> tensor([1, 2.5]).dtype
    stridekit.float32
    """
    require_plain("tensor", options)
    asked = None if dtype is None else as_dtype(dtype)
    found = whole_tensor(data)
    if found is not None:
        return found.to(asked, copy=True)
    size, kind, values = flattened_as("tensor", data, asked)
    return new(size, kind, kind.pack(values))


def whole_tensor(data: Any) -> Tensor | None:
    """The tensor that a tensor or array is, on its own memory; None for anything else.

    Raises what `from_numpy` and `from_torch` raise.
    """
    if isinstance(data, Tensor):
        return data
    shared = foreign(data)
    return None if shared is None else Tensor(shared.layout, shared.untyped_storage(), shared.dtype)


def zeros(*args: Any, size: Any = None, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A new row-major tensor of zeros; float32 unless a dtype is given.

    Raises SizeError for a negative size, ArgumentError for what is no size, StorageError where
    there is not so much memory.

    >>> zeros(2, 3).tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    require_plain("zeros", options)
    shape = sizes_of("zeros", args, size)
    return _blank("zeros", shape, _or_float(dtype), contiguous_stride(shape))


def ones(*args: Any, size: Any = None, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A new row-major tensor of ones. Raises as `zeros` does."""
    return zeros(*args, size=size, dtype=dtype, **options).fill_(1)


def empty(
    *args: Any,
    size: Any = None,
    dtype: AnyDType = None,
    memory_format: MemoryFormat | None = contiguous_format,
    **options: Any,
) -> Tensor:
    """A new tensor in a memory format; zeros here, where torch leaves the elements open.

    >>> from stridekit import channels_last
    >>> empty(1, 3, 2, 2, memory_format=channels_last).stride()
    (12, 1, 6, 3)
    """
    require_plain("empty", options)
    shape = sizes_of("empty", args, size)
    wanted = contiguous_format if memory_format is None else memory_format
    stride = stride_of("empty", shape, as_format("empty", wanted))
    return _blank("empty", shape, _or_float(dtype), stride)


def full(size: Any, fill_value: Any, *, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A new row-major tensor of one number; its dtype is that of the number.

    Raises as `zeros` does, and ValueRangeError when the dtype cannot hold the number.

    >>> full((2,), True).dtype
    stridekit.bool
    """
    require_plain("full", options)
    shape = as_ints("full", "a size", size)
    value = as_number("full: fill_value", fill_value)
    kind = DEFAULTS[kind_of(value)] if dtype is None else as_dtype(dtype)
    return _blank("full", shape, kind, contiguous_stride(shape)).fill_(value)


def empty_strided(size: Any, stride: Any, *, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A new tensor with that size and stride, over the least storage that holds it.

    Its elements are zeros here; torch leaves them open. Raises LayoutError or SizeError.

    >>> empty_strided((2, 3), (1, 2)).untyped_storage().nbytes()
    24
    """
    require_plain("empty_strided", options)
    sizes = as_ints("empty_strided", "a size", size)
    strides = as_ints("empty_strided", "a stride", stride)
    if min(strides, default=0) < 0:
        raise SizeError(f"empty_strided: stride {strides} has a negative entry.")
    return _blank("empty_strided", sizes, _or_float(dtype), strides)


def zeros_like(
    input: TensorBase,  # noqa: A002 - torch's name
    *,
    dtype: AnyDType = None,
    memory_format: MemoryFormat | None = preserve_format,
    **options: Any,
) -> Tensor:
    """Zeros of a tensor's size and dtype, with the strides that its clone has.

    >>> zeros_like(zeros(2, 3).t()).stride()
    (1, 3)
    """
    return _like("zeros_like", input, dtype, memory_format, options)


def ones_like(
    input: TensorBase,  # noqa: A002 - torch's name
    *,
    dtype: AnyDType = None,
    memory_format: MemoryFormat | None = preserve_format,
    **options: Any,
) -> Tensor:
    """Ones of a tensor's size and dtype, with the strides that its clone has."""
    return _like("ones_like", input, dtype, memory_format, options).fill_(1)


def empty_like(
    input: TensorBase,  # noqa: A002 - torch's name
    *,
    dtype: AnyDType = None,
    memory_format: MemoryFormat | None = preserve_format,
    **options: Any,
) -> Tensor:
    """A tensor of that size and dtype, with the strides of its clone; zeros here."""
    return _like("empty_like", input, dtype, memory_format, options)


def full_like(
    input: TensorBase,  # noqa: A002 - torch's name
    fill_value: Any,
    *,
    dtype: AnyDType = None,
    memory_format: MemoryFormat | None = preserve_format,
    **options: Any,
) -> Tensor:
    """One number in a tensor's size and dtype, with the strides that its clone has."""
    value = as_number("full_like: fill_value", fill_value)
    return _like("full_like", input, dtype, memory_format, options).fill_(value)


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
    given = [_bound(name, value) for name, value in zip(_BOUNDS, (start, end, step), strict=True)]
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
    if hop == 0:
        raise (SizeError if given[2] == 0 else StepError)(
            f"arange: the step is 0 in {kind.name}, so the range would never end."
        )
    if (last - first) * hop < 0:
        raise SizeError(
            f"arange: a step of {hop} leads from {first} away from {last}. Change its sign."
        )
    exact = all(isinstance(bound, int) for bound in (first, last, hop))
    count = int(-((first - last) // hop) if exact else math.ceil((last - first) / hop))
    _required_size("arange", (count,))
    # Before the numbers are counted out: whether there is room for them.
    allocated(count * kind.itemsize)
    numbers = (cut[0] + i * cut[2] for i in range(count))
    return new((count,), kind, kind.pack(map(kind.cast, numbers)))


_BOUNDS = ("start", "end", "step")


def _bound(name: str, value: Any) -> int | float:
    if value is None or value is _NOT_GIVEN:
        raise ArgumentError(f"arange: {name} is a number, and none is given.")
    number = as_number(f"arange: {name}", value)
    if isinstance(number, complex):
        raise ValueRangeError(f"arange: {name} is {number}, and complex numbers have no order.")
    if not math.isfinite(number):
        raise SizeError(f"arange: {name} is {number}, and the range has to end somewhere.")
    return number


def _like(
    call: str,
    x: TensorBase,
    dtype: AnyDType,
    memory_format: MemoryFormat | None,
    options: dict[str, Any],
) -> Tensor:
    require_plain(call, options)
    memory_format = preserve_format if memory_format is None else memory_format
    if not isinstance(x, TensorBase):
        raise ArgumentError(f"{call}: give a stridekit tensor, not a {type(x).__name__}.")
    if as_format(call, memory_format) is preserve_format:
        stride = preserved_stride(x.shape, x.stride())
    else:
        stride = stride_of(call, x.shape, memory_format)
    return _blank(call, x.shape, x.dtype if dtype is None else as_dtype(dtype), stride)


def _blank(call: str, size: Ints, dtype: DType, stride: Ints) -> Tensor:
    """Zeros over the least storage that holds such a header."""
    layout = checked(Layout(_required_size(call, size), stride), None, dtype)
    reach = layout.reach
    length = 0 if reach is None else reach[1] + 1
    return Tensor(layout, Storage(length * dtype.itemsize), dtype)


def _required_size(call: str, size: Ints) -> Ints:
    if min(size, default=0) < 0:
        raise SizeError(f"{call}{size}: a size counts elements, so it is not negative.")
    return size


def _or_float(dtype: AnyDType) -> DType:
    return float32 if dtype is None else as_dtype(dtype)
