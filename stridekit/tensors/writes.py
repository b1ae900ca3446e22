"""The methods that write elements in place, and the memory that torch lets them share.

A write goes to the storage, so every tensor that reaches the same positions sees it. What
torch refuses is refused here: copies into dims of stride 0, where one position stands for many
elements; and reading from memory that is being written, where torch can tell.

One position may stand for many elements of the target, or source and target may meet on the same
memory (ATen/MemoryOverlap.cpp). torch looks only at tensors that are dense; where it cannot tell
it lets the write pass, and so does this.
"""

from typing import Any, Literal, Self
from warnings import warn

from stridekit.errors import ArgumentError, OverlapError, SizeError, StridekitWarning, WideIntError
from stridekit.layouts import dims as rules
from stridekit.layouts.broadcasting import (
    ExpandObstacle,
    Misfit,
    broadcast_sizes,
    plan_expand,
)
from stridekit.layouts.indexing import Key, index_layout, is_basic, is_one_mask, pick, sliced
from stridekit.layouts.layout import Layout
from stridekit.layouts.memory_formats import contiguous_format, is_dense
from stridekit.layouts.whole_numbers import WIDEST, spell_long
from stridekit.tensors.base import TensorBase
from stridekit.tensors.dtypes import Number, float64
from stridekit.tensors.inputs import (
    as_key,
    as_number,
    is_number,
    read_values,
    tensors_in,
    warn_imaginary,
)
from stridekit.tensors.named_copies import NamedCopies
from stridekit.tensors.storage import tiled
from stridekit.tensors.views import tensor_of

Overlap = Literal["none", "partial", "full", "unknown"]


def overlap_of(a: TensorBase, b: TensorBase) -> Overlap:
    """Whether two tensors meet on the same memory, as far as torch can tell."""
    if a is b:
        return "full"
    if not a.numel() or not b.numel():
        return "none"
    if not all(is_dense(x.shape, x.stride()) for x in (a, b)):
        return "unknown"
    if not a.shares_storage_with(b):
        return "none"
    (start, end), (other, other_end) = (
        (x.data_ptr(), x.data_ptr() + x.numel() * x.element_size()) for x in (a, b)
    )
    if (start, end) == (other, other_end):
        return "full" if a.stride() == b.stride() else "partial"
    return "partial" if start < other_end and other < end else "none"


def repeated_dim(x: TensorBase) -> int | None:
    """A dim along which all indices share one position, or None."""
    if not x.numel() or is_dense(x.shape, x.stride()):
        return None
    dims = enumerate(zip(x.shape, x.stride(), strict=True))
    return next((dim for dim, (n, step) in dims if n > 1 and step == 0), None)


def require_apart(call: str, target: TensorBase, source: TensorBase | None = None) -> None:
    """Refuse one position for many elements, and a source that is shifted against the target.

    Raises OverlapError.
    """
    dim = repeated_dim(target)
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


def require_none(call: str, target: TensorBase, source: TensorBase, what: str) -> None:
    """Refuse any overlap, the very same elements included. Raises OverlapError.

    A write to picked elements goes one by one, so what it reads must not be what it writes.
    """
    if overlap_of(target, source) in ("partial", "full"):
        raise OverlapError(
            f"{call}: {what}, of size {source.shape}, lies on the memory that is written to, so "
            f"elements could be written before they are read. clone() {what} first."
        )


def warn_repeated(call: str, target: TensorBase) -> None:
    """Warn, as torch does, of a write to picked elements of which one position holds many."""
    dim = repeated_dim(target)
    if dim is not None:
        warn(
            f"{call} on size {target.shape}, stride {target.stride()}: along dim {dim} all indices "
            "share one position, so a write to one is seen in all. clone() first.",
            StridekitWarning,
            stacklevel=4,
        )


# The methods.


_PUT = "[...] ="


class Writes(NamedCopies):
    """What can be written to a tensor in place. See `Tensor`."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a number, or a tensor that broadcasts, to `t[key]`.

        Refused for a part that has a dim of stride 0 (OverlapError). A list or a mask may name
        one position twice, and then which value stays is open. Lists, masks and the tensors
        they take values from must not lie on the memory that is written (OverlapError).

        >>> row = sk.zeros(1, 3, dtype="int64")
        >>> row.expand(2, 3)[0] = 5
        >>> row.tolist()
        [[5, 5, 5]]
        """
        if key is False:
            # No element is named, so torch does not look at the value either.
            return
        items = as_key(None if key is True else key)
        if not isinstance(value, TensorBase):
            value = self._scalar(_PUT, _put_number(value), relaxed=True)
        if not is_basic(items):
            self._set_picked(key, items, value)
            return
        target = self._under(index_layout(self._layout, items))
        if isinstance(value, TensorBase) and (value.ndim or not target.ndim):
            target.copy_(_spread(value, target))
        else:
            require_apart(_PUT, target)
            target.fill_(value)

    def __delitem__(self, key: Any) -> None:
        """Refused with ArgumentError, as in torch: a tensor's memory has no gaps."""
        raise ArgumentError(
            f"del t[{key!r}]: a tensor keeps all its elements. Index what you want to keep."
        )

    def fill_(self, value: Any) -> Self:
        """Every element set to one number; in place. Dims of stride 0 may be filled.

        A tensor of rank 0 is converted as `copy_` converts. Raises ValueRangeError for a plain
        number that the dtype cannot hold, MagnitudeError for one past 64 bits.

        >>> sk.zeros(2).fill_(7).tolist()
        [7.0, 7.0]
        """
        if isinstance(value, TensorBase):
            if value.ndim:
                raise SizeError(f"fill_: one number fills it, not a tensor of size {value.shape}.")
            warn_imaginary("fill_", value.dtype, self._dtype)
            number = self._dtype.cast(read_values(value)[0])
        else:
            number = as_number("fill_", value)
            number = self._scalar("fill_", number, relaxed=self.numel() == 1)
        element = self._dtype.pack([number])
        # One write for each position is enough: expanded dims may be longer than any memory.
        repeated = [dim for dim in range(self.ndim) if self.shape[dim] and not self.stride(dim)]
        layout = self._layout
        for dim in reversed(repeated):
            layout = rules.select(layout, dim, 0)
        self._storage.scatter(layout, self.element_size(), tiled(element, layout.numel))
        return self

    def zero_(self) -> Self:
        """Every element set to 0; in place."""
        return self.fill_(0)

    def copy_(self, other: Any, non_blocking: bool = False) -> Self:  # noqa: ARG002 - torch's
        """Every element set to the source's, which broadcasts and is converted; in place.

        The source is a tensor or a number. There is one device here, so `non_blocking` changes
        nothing. Raises OverlapError, ExpandError when the sizes do not fit.

        >>> sk.zeros(2, 2).copy_(sk.arange(2)).tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """
        if not isinstance(other, TensorBase):
            if not is_number(other):
                raise ArgumentError(
                    f"copy_: give a stridekit tensor, not a {type(other).__name__}."
                )
            require_apart("copy_", self)
            number = self._dtype.cast(as_number("copy_", other))
            return self.fill_(self._dtype.unpack(self._dtype.pack([number]))[0])
        if self.shares_storage_with(other) and (self.layout, self.dtype) == (
            other.layout,
            other.dtype,
        ):
            return self
        layout = self._broadcast("copy_", other)
        require_apart("copy_", self, other)
        packed = other.untyped_storage().gather(layout, other.element_size())
        if other.dtype != self._dtype:
            warn_imaginary("copy_", other.dtype, self._dtype)
            values = other.dtype.unpack(packed)
            packed = self._dtype.pack(map(self._dtype.cast, values))
        self._storage.scatter(self._layout, self.element_size(), packed)
        return self

    def masked_fill_(self, mask: TensorBase, value: Any) -> Self:
        """One number written where the mask, which broadcasts, is true; in place.

        Raises SizeError for what is no mask or does not fit, ValueRangeError.
        """
        if not isinstance(mask, TensorBase) or mask.dtype.name != "bool":
            raise SizeError("masked_fill_: a mask is a tensor of bool. Compare: t > 0.")
        if isinstance(value, TensorBase):
            if value.ndim:
                raise SizeError(f"masked_fill_: one number, not a tensor of size {value.shape}.")
            value = read_values(value)[0]
        number = self._dtype.hold("masked_fill_", as_number("masked_fill_", value))
        layout = self._broadcast("masked_fill_", mask)
        if overlap_of(self, mask) == "partial":
            require_apart("masked_fill_", self, mask)
        warn_repeated("masked_fill_", self)
        truths = read_values(TensorBase(layout, mask.untyped_storage(), mask.dtype))
        positions = [p for p, true in zip(self._layout.positions(), truths, strict=True) if true]
        packed = self._dtype.pack([number]) * len(positions)
        self._storage.scatter_at(positions, self.element_size(), packed)
        return self

    def masked_fill(self, mask: TensorBase, value: Any) -> Self:
        """A copy, which broadcasts to the mask, filled where it is true."""
        size = broadcast_sizes(self.shape, tensor_of("masked_fill", mask).shape)
        if isinstance(size, Misfit):
            raise SizeError(f"masked_fill: {size.message}")
        copied = self.expand(size).clone(memory_format=contiguous_format)
        return copied.masked_fill_(mask, value)

    def index_put_(self, indices: Any, values: TensorBase, accumulate: bool = False) -> Self:
        """`t[indices] = values`, as a method; in place. `accumulate` adds them up instead.

        Then a position is added to as often as it is named.

        >>> row = sk.zeros(2)
        >>> row.index_put_((sk.tensor([0, 0]),), sk.ones(2), accumulate=True).tolist()
        [2.0, 0.0]
        """
        if not isinstance(indices, tuple | list):
            raise ArgumentError("index_put_: give the indices as a tuple of tensors.")
        if not indices:
            raise SizeError("index_put_: there are no indices. Give one tensor at least.")
        for each in (*indices, values):
            tensor_of("index_put_", each)
        if not isinstance(accumulate, bool):
            raise ArgumentError("index_put_: accumulate is True or False.")
        if accumulate:
            self._add_picked(as_key(tuple(indices)), indices, values)
        else:
            self[tuple(indices)] = values
        return self

    def _add_picked(self, items: Key, indices: Any, values: TensorBase) -> None:
        target = self if is_basic(items) else self._under(sliced(self._layout, items))
        for read in (*indices, values):
            require_none("index_put_", target, read, "what is read")
        if is_basic(items):
            layout = index_layout(self._layout, items)
            size, positions = layout.size, list(layout.positions())
        else:
            picked = pick(self._layout, items)
            size, positions = picked.size, list(picked.positions)
        packed = self._packed_for(size, len(positions), values)
        for position, value in zip(positions, self._dtype.unpack(packed), strict=True):
            there = self._storage.read(self._dtype, position)
            total = there or value if self._dtype.kind == "bool" else there + value
            self._storage.write(self._dtype, position, self._dtype.cast(total))

    def _set_picked(self, key: Any, items: Key, value: Any) -> None:
        picked = pick(self._layout, items)
        target = self._under(sliced(self._layout, items))
        warn_repeated(_PUT, target)
        fills = is_one_mask(items) and not (isinstance(value, TensorBase) and value.numel() != 1)
        if fills and isinstance(value, TensorBase):
            value = self._dtype.hold(_PUT, read_values(value)[0])
        if not fills:
            for index in tensors_in(key):
                require_none(_PUT, target, index, "the index")
        if isinstance(value, TensorBase):
            require_none(_PUT, target, value, "the source")
            packed = self._packed_for(picked.size, len(picked.positions), value)
        else:
            packed = self._dtype.pack([value]) * len(picked.positions)
        self._storage.scatter_at(picked.positions, self.element_size(), packed)

    def _packed_for(self, size: tuple[int, ...], count: int, value: TensorBase) -> bytearray:
        source = _without_leading_ones(value, len(size))
        plan = plan_expand(source.layout, size)
        if isinstance(plan, ExpandObstacle):
            raise SizeError(
                f"[...] = a tensor of size {value.shape}: {count} elements of size {size} are "
                "named, and the two do not broadcast."
            )
        if source.dtype != self._dtype:
            raise SizeError(
                f"[...] = a tensor of {source.dtype.name}: picked elements of {self._dtype.name} "
                "take their own dtype only. Convert it: to(dtype)."
            )
        return source.untyped_storage().gather(plan, source.element_size())

    def _scalar(self, call: str, number: Number, *, relaxed: bool) -> Number:
        """A plain number as one of this dtype; where torch is relaxed, halves become infinite.

        It is for one element, and for what is assigned to an item (ATen/native/Fill.cpp).
        """
        dtype = self._dtype
        if relaxed and dtype.name in ("float16", "bfloat16"):
            (rounded,) = dtype.unpack(dtype.pack([float64.hold(call, number)]))
            return rounded
        return dtype.hold(call, number)

    def _broadcast(self, call: str, source: TensorBase) -> Layout:
        plan = plan_expand(source.layout, self.shape)
        if isinstance(plan, ExpandObstacle):
            raise SizeError(
                f"{call} on size {self.shape} from size {source.shape}: the source does not "
                "broadcast to it."
            )
        return plan


def _put_number(value: Any) -> Number:
    if isinstance(value, int) and not -WIDEST - 1 <= value <= WIDEST:
        raise WideIntError(
            f"{_PUT} {spell_long(value)}: whole numbers past 64 bits are not assigned. Write it as "
            "a float."
        )
    return as_number(_PUT, value)


def _spread(value: TensorBase, target: TensorBase) -> TensorBase:
    """The value expanded to the target where it can be; copy_ refuses it where it cannot."""
    if value.shape == target.shape:
        return value
    value = _without_leading_ones(value, 0)
    plan = plan_expand(value.layout, target.shape)
    if isinstance(plan, ExpandObstacle):
        return value
    return TensorBase(plan, value.untyped_storage(), value.dtype, value)


def _without_leading_ones(value: TensorBase, ndim: int) -> TensorBase:
    """The value without the dims of size 1 that it has more than the target."""
    layout = value.layout
    while layout.ndim > ndim and layout.size[0] == 1:
        layout = rules.squeeze(layout, (0,))
    return TensorBase(layout, value.untyped_storage(), value.dtype, value)
