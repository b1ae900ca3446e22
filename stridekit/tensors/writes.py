"""Writing to a tensor's memory in place, and what torch refuses to write.

A write goes to the storage, so every tensor that reaches the same positions sees it. One position
may stand for many elements of the target, and source and target may meet on the same memory
(ATen/MemoryOverlap.cpp). torch looks only at tensors that are dense; where it cannot tell it lets
the write pass, and so does this.
"""

from functools import partial
from operator import add, and_, mul, or_
from typing import Any, Literal

from stridekit.errors import (
    ArgumentError,
    OverlapError,
    SizeError,
    ValueRangeError,
    WideIntError,
    caution,
)
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.dims import squeeze
from stridekit.layouts.indexing import Pick, plan_index
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.memory_formats import is_dense
from stridekit.layouts.view_rule import plan_view
from stridekit.layouts.whole_numbers import WIDEST, a_type, spell_long
from stridekit.tensors.dtypes import (
    DType,
    Kind,
    Number,
    can_hold_kind,
    float32,
    float64,
    kind_of,
    promote,
)
from stridekit.tensors.header import TensorHeader
from stridekit.tensors.inputs import as_key, as_number, is_number, read_values
from stridekit.tensors.storage import tiled

_HALF = ("float16", "bfloat16")
_OPERATIONS = {
    ("add_", False): add,
    ("add_", True): or_,
    ("mul_", False): mul,
    ("mul_", True): and_,
}
_PUT = "[...] ="


def put(x: TensorHeader, key: Any, value: Any) -> None:
    """Write a number, or a tensor that broadcasts, to `x[key]`."""
    items = as_key(None if key is True else key)
    if not isinstance(value, TensorHeader):
        if isinstance(value, int) and not -WIDEST - 1 <= value <= WIDEST:
            raise WideIntError(
                f"{_PUT} {spell_long(value)}: whole numbers past 64 bits are not assigned. "
                "Write it as a float."
            )
        value = _scalar(_PUT, x.dtype, as_number(_PUT, value), relaxed=True)
    if key is False:
        # No element is named, so torch does not look at a tensor's size either.
        return
    plan = plan_index(x.layout, items)
    if isinstance(plan, Pick):
        _put_picked(x, key, plan, value)
        return
    target = _on(x, plan)
    if isinstance(value, TensorHeader) and (value.ndim or not target.ndim):
        copy(target, _spread(value, target.shape))
    else:
        require_apart(_PUT, target)
        fill(target, value)


def fill(x: TensorHeader, value: Any) -> None:
    """Write one number, or a tensor of rank 0, to every element."""
    if not isinstance(value, TensorHeader):
        number = as_number("fill_", value)
        _set_all(x, _scalar("fill_", x.dtype, number, relaxed=x.numel() == 1))
        return
    if value.ndim:
        raise SizeError(f"fill_: one number fills it, not a tensor of size {value.shape}.")
    require_apart("fill_", x)
    warn_imaginary("fill_", value.dtype, x.dtype)
    _set_all(x, x.dtype.cast(read_values(value)[0]))


def copy(x: TensorHeader, source: Any) -> None:
    """Write a tensor that broadcasts, or a number, to every element, converted."""
    if not isinstance(source, TensorHeader):
        if not is_number(source):
            raise ArgumentError(f"copy_: give a stridekit tensor, not {a_type(source)}.")
        require_apart("copy_", x)
        _set_all(x, x.dtype.cast(as_number("copy_", source)))
        return
    is_same = (x.layout, x.dtype) == (source.layout, source.dtype)
    if is_same and x.shares_storage_with(source):
        return
    layout = _expanded("copy_", x, source)
    require_apart("copy_", x, source)
    packed = source.untyped_storage().gather(layout, source.element_size())
    if source.dtype != x.dtype:
        warn_imaginary("copy_", source.dtype, x.dtype)
        packed = x.dtype.pack(map(x.dtype.cast, source.dtype.unpack(packed)))
    x.untyped_storage().scatter(x.layout, x.element_size(), packed)


def calculate(call: Literal["add_", "mul_"], x: TensorHeader, other: Any) -> None:
    """Add to every element, or multiply it by, a number or a tensor that broadcasts.

    One index after another works on what is there, where positions are shared.
    """
    dtype, storage = x.dtype, x.untyped_storage()
    operate = _OPERATIONS[call, dtype.kind == "bool"]
    theirs = _operand(call, x, other)
    storage.require_writable()
    # torch calculates with halves in float32, and rounds twice.
    finish = partial(_rounded, float32) if dtype.name in _HALF else dtype.cast
    if is_dense(x.shape, x.stride()):
        results = map(finish, map(operate, read_values(x), theirs))
        storage.scatter(x.layout, dtype.itemsize, dtype.pack(results))
        return
    for position, value in zip(x.layout.positions(), theirs, strict=True):
        (there,) = dtype.unpack(storage.gather_at([position], dtype.itemsize))
        packed = dtype.pack([finish(operate(there, value))])
        storage.scatter_at([position], dtype.itemsize, packed)


def _set_all(x: TensorHeader, number: Number) -> None:
    # One write for each position is enough: expanded dims may be longer than any memory.
    layout = x.layout.each_once
    packed = tiled(x.dtype.pack([number]), layout.numel)
    x.untyped_storage().scatter(layout, x.element_size(), packed)


def overlap_of(a: TensorHeader, b: TensorHeader) -> Literal["partial", "full"] | None:
    """How two tensors meet on the same memory; None where they do not, or torch cannot tell."""
    if a is b:
        return "full"
    dense = all(x.numel() and is_dense(x.shape, x.stride()) for x in (a, b))
    if not dense or not a.shares_storage_with(b):
        return None
    (start, end), (other, other_end) = ((x.data_ptr(), x.data_ptr() + x.nbytes) for x in (a, b))
    if (start, end) == (other, other_end):
        return "full" if a.stride() == b.stride() else "partial"
    return "partial" if start < other_end and other < end else None


def require_apart(call: str, target: TensorHeader, source: TensorHeader | None = None) -> None:
    """Refuse one position for many elements, and a source that is shifted against the target.

    Raises OverlapError.
    """
    dim = _repeated_dim(target)
    if dim is not None:
        n = target.shape[dim]
        raise OverlapError(
            f"{call} on size {target.shape}, stride {target.stride()}: along dim {dim} all "
            f"{n} indices share one position, so one element would be written {n} times. "
            "clone() first."
        )
    if source is not None and overlap_of(target, source) == "partial":
        raise OverlapError(
            f"{call}: source and target lie on the same memory, shifted against each other, so "
            "elements would be written before they are read. clone() the source first."
        )


def warn_imaginary(call: str, source: DType, target: DType) -> None:
    """Warn, as torch does, of complex values that lose their imaginary parts."""
    if source.kind == "complex" and target.kind not in ("complex", "bool"):
        caution(
            f"{call}: {source.name} values go to {target.name}, so their imaginary parts are lost."
        )


# What they share.


def _scalar(call: str, dtype: DType, number: Number, *, relaxed: bool) -> Number:
    """A plain number as one of the dtype; where torch is relaxed, halves become infinite.

    It is for one element, and for what is assigned to an item (ATen/native/Fill.cpp).
    """
    if relaxed and dtype.name in _HALF:
        return _rounded(dtype, float64.hold(call, number))
    return dtype.hold(call, number)


def _rounded(dtype: DType, value: Number) -> Number:
    """The value as a dtype that rounds has it; whole numbers stay as they are."""
    if dtype.kind in ("float", "complex"):
        return dtype.unpack(dtype.pack([dtype.cast(value)]))[0]
    return value


def _expanded(call: str, x: TensorHeader, source: TensorHeader) -> Layout:
    """The source's layout, expanded to the tensor's size. Raises SizeError."""
    plan = plan_expand(source.layout, x.shape)
    if isinstance(plan, ExpandObstacle):
        raise SizeError(
            f"{call} on size {x.shape} from size {source.shape}: the source does not "
            "broadcast to it."
        )
    return plan


def _spread(value: TensorHeader, size: Ints) -> TensorHeader:
    """The value expanded to a size where it can be, and else as it is."""
    if value.shape == size:
        return value
    # Dims of size 1 in front are too many at times, and say nothing.
    layout = value.layout
    while layout.ndim and layout.size[0] == 1:
        layout = squeeze(layout, (0,))
    # torch takes a view of it, which gives dims of size 1 strides of its own.
    viewed = plan_view(layout, layout.size)
    assert isinstance(viewed, Layout)
    plan = plan_expand(viewed, size)
    return value if isinstance(plan, ExpandObstacle) else _on(value, plan)


def _on(x: TensorHeader, layout: Layout) -> TensorHeader:
    """Another header on the tensor's storage."""
    return TensorHeader(layout, x.untyped_storage(), x.dtype)


def _repeated_dim(x: TensorHeader) -> int | None:
    """A dim along which all indices share one position, or None."""
    return next(iter(x.layout.repeated), None) if x.numel() else None


# Assigning to picked elements.


def _put_picked(x: TensorHeader, key: Any, picked: Pick, value: Any) -> None:
    """Write to elements that lists and masks pick.

    Such a write goes one by one, so what it reads must not be what it writes.
    """
    # torch overlooks no tensor that is written by itself, even one without elements.
    target = x if picked.view == x.layout else _on(x, picked.view)
    dim = _repeated_dim(target)
    if dim is not None:
        caution(
            f"{_PUT} on size {target.shape}, stride {target.stride()}: along dim {dim} all indices "
            "share one position, so a write to one is seen in all. clone() first."
        )
    fills = picked.by_mask and not (isinstance(value, TensorHeader) and value.numel() != 1)
    if fills and isinstance(value, TensorHeader):
        value = x.dtype.hold(_PUT, read_values(value)[0])
    for item in key if isinstance(key, tuple | list) else (key,):
        # One of rank 0 has been read as a number by now.
        if isinstance(item, TensorHeader) and item.ndim:
            _require_none(target, item, "the index", is_mask=fills)
    if isinstance(value, TensorHeader):
        _require_none(target, value, "the source")
        source = _spread(value, picked.size)
        if source.shape != picked.size:
            raise SizeError(
                f"{_PUT} a tensor of size {value.shape}: elements of size {picked.size} are named, "
                "and the two do not broadcast."
            )
        if source.dtype != x.dtype:
            raise SizeError(
                f"{_PUT} a tensor of {source.dtype.name}: picked elements of {x.dtype.name} take "
                "their own dtype only. Convert it: to(dtype)."
            )
        packed = source.untyped_storage().gather(source.layout, source.element_size())
    else:
        packed = x.dtype.pack([value]) * len(picked.positions)
    x.untyped_storage().scatter_at(picked.positions, x.element_size(), packed)


def _require_none(
    target: TensorHeader, source: TensorHeader, what: str, *, is_mask: bool = False
) -> None:
    """Refuse overlap, but of a mask with just what it fills. Raises OverlapError."""
    beside = source
    if is_mask:
        # torch gives a mask as many dims of size 1 at its end as are missing.
        ones = [(1, 1)] * (target.ndim - source.ndim)
        dims = [*source.layout.dims, *ones]
        beside = _on(source, Layout.over(dims, source.storage_offset()))
    overlap = overlap_of(target, beside)
    if overlap == "partial" or (overlap and not is_mask):
        raise OverlapError(
            f"{_PUT}: {what}, of size {source.shape}, lies on the memory that is written to, so "
            f"elements could be written before they are read. clone() {what} first."
        )


# The other side of an operation.


def _operand(call: str, x: TensorHeader, other: Any) -> list[Number]:
    """The other side as it takes part, one value for each element of the tensor."""
    dtype = x.dtype
    if isinstance(other, TensorHeader):
        layout = _expanded(call, x, other)
        if bool(x.ndim) == bool(other.ndim):
            # Refuses whole numbers that meet in no dtype; rank 0 gives way to what has dims.
            promote(dtype, other.dtype)
        _require_kind(call, dtype, other.dtype.kind)
        require_apart(call, x, other)
        values = other.untyped_storage().values(layout, other.dtype)
        if other.dtype.kind in ("bool", "int"):
            return [_rounded(dtype, value) for value in values]
    else:
        value = as_number(call, other)
        _require_kind(call, dtype, kind_of(value))
        require_apart(call, x)
        # torch multiplies half floats by a number in float32, and adds in their own dtype.
        half = call == "mul_" and dtype.name in _HALF
        values = [_rounded(float32 if half else dtype, value)] * x.numel()
    return [*map(complex, values)] if dtype.kind == "complex" else values


def _require_kind(call: str, dtype: DType, kind: Kind) -> None:
    if not can_hold_kind(dtype, kind):
        raise ValueRangeError(
            f"{call}: the result would be {kind}, and {dtype.name} cannot hold that. "
            "Convert first: to(dtype)."
        )
