"""The methods that write in place, and those that change the tensor's own header.

A write goes to the storage, so every tensor that reaches the same positions sees it. What
torch refuses is refused here: arithmetic and copies into dims of stride 0, where one position
stands for many elements; and reading from memory that is being written, where torch can tell
(ATen/MemoryOverlap.cpp).
"""

from typing import Any, Self, SupportsIndex

from stridekit.errors import ArgumentError, FormatError, OverlapError, SizeError, ValueRangeError
from stridekit.layouts import dims as rules
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.indexing import index_layout, is_basic, pick
from stridekit.layouts.layout import Layout, as_int, contiguous_stride
from stridekit.layouts.memory_formats import MemoryFormat, is_dense, preserve_format, stride_of
from stridekit.tensors.copies import Copies, as_key
from stridekit.tensors.dtypes import DType, Kind, Number, can_hold_kind, float32, kind_of
from stridekit.tensors.headers import Header, as_format, checked
from stridekit.tensors.storage import Storage
from stridekit.tensors.views import sizes_of


class Writes(Copies):
    """What can be done to a tensor in place. See `Tensor`."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        """Write a number, or a tensor that broadcasts, to `t[key]`.

        Refused for a part that has a dim of stride 0 (OverlapError). A list or a mask may name
        one position twice, and then which value stays is open.

        >>> row = sk.zeros(1, 3, dtype="int64")
        >>> row.expand(2, 3)[0] = 5
        >>> row.tolist()
        [[5, 5, 5]]
        """
        items = as_key(key)
        if not isinstance(value, Header):
            value = self._dtype.hold("[...] = ", _number("[...] = ", value))
        if not is_basic(items):
            self._set_picked(items, value)
            return
        target = self._under(index_layout(self._layout, items))
        if isinstance(value, Header):
            target.copy_(_without_leading_ones(value, target.ndim))
        else:
            _require_apart("[...] =", target, None)
            target.fill_(value)

    def fill_(self, value: Any) -> Self:
        """Every element set to one number; in place. Dims of stride 0 may be filled.

        Raises ValueRangeError for a number that the dtype cannot hold.

        >>> sk.zeros(2).fill_(7).tolist()
        [7.0, 7.0]
        """
        if isinstance(value, Header):
            if value.ndim:
                raise SizeError(f"fill_: one number fills it, not a tensor of size {value.shape}.")
            value = _values(value)[0]
        number = self._dtype.hold("fill_", _number("fill_", value))
        element = self._dtype.pack([number])
        self._storage.scatter(self._layout, self.element_size(), element * self.numel())
        return self

    def copy_(self, source: Header) -> Self:
        """Every element set to the source's, which broadcasts and is converted; in place.

        Raises OverlapError, ExpandError when the sizes do not fit.

        >>> sk.zeros(2, 2).copy_(sk.arange(2)).tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """
        if not isinstance(source, Header):
            raise ArgumentError(f"copy_: give a stridekit tensor, not a {type(source).__name__}.")
        if self.shares_storage_with(source) and (self.layout, self.dtype) == (
            source.layout,
            source.dtype,
        ):
            return self
        layout = self._broadcast("copy_", source)
        _require_apart("copy_", self, source)
        packed = source.untyped_storage().gather(layout, source.element_size())
        if source.dtype != self._dtype:
            values = source.dtype.unpack(packed)
            packed = self._dtype.pack(map(self._dtype.cast, values))
        self._storage.scatter(self._layout, self.element_size(), packed)
        return self

    def add_(self, other: Any) -> Self:
        """A number or a tensor added to every element; in place.

        Where windows overlap, a position is added to once for each index that reaches it.
        Raises OverlapError, ExpandError, ValueRangeError when the result's kind does not fit.

        >>> sk.arange(3).add_(10).tolist()
        [10, 11, 12]
        """
        return self._arithmetic("add_", other, lambda a, b: a + b, lambda a, b: a or b)

    def mul_(self, other: Any) -> Self:
        """Every element multiplied by a number or a tensor; in place. Raises as `add_` does.

        >>> sk.arange(3).mul_(10).tolist()
        [0, 10, 20]
        """
        return self._arithmetic("mul_", other, lambda a, b: a * b, lambda a, b: a and b)

    def resize_(self, *size: Any, memory_format: MemoryFormat | None = None) -> Self:
        """Another size in row-major order from the same offset on; in place.

        It keeps storage order, not the elements you see. The same size changes nothing, strides
        included, unless a memory_format is given. The storage grows if it must, and never
        shrinks; what is new is uninitialised. Raises StorageError when it may not grow
        (ATen/native/Resize.cpp).

        >>> sk.arange(1, 5).view(2, 2).narrow(1, 1, 1).resize_(2).tolist()
        [2, 3]
        """
        new_size = sizes_of("resize_", size)
        if min(new_size, default=0) < 0:
            raise SizeError(f"resize_{new_size}: a size counts elements, so it is not negative.")
        if memory_format is not None and as_format("resize_", memory_format) is preserve_format:
            raise FormatError("resize_(memory_format=preserve_format): name the format you mean.")
        layout = self._layout
        if new_size != layout.size:
            layout = Layout(new_size, contiguous_stride(new_size), layout.storage_offset)
        if memory_format is not None:
            stride = stride_of("resize_", new_size, memory_format)
            layout = Layout(new_size, stride, layout.storage_offset)
        self._occupy(layout, self._storage, self._dtype)
        return self

    def set_(
        self,
        source: "Header | Storage | None" = None,
        storage_offset: SupportsIndex = 0,
        size: Any = None,
        stride: Any = None,
    ) -> Self:
        """Another storage under this tensor, with a header given or taken from a tensor; in place.

        Without a source: an empty storage. Raises ArgumentError for a tensor of another dtype.

        >>> tail = sk.arange(6)[2:]
        >>> sk.zeros(0, dtype="int64").set_(tail.untyped_storage(), 0, (6,)).tolist()
        [0, 1, 2, 3, 4, 5]
        """
        if isinstance(source, Header):
            if source.dtype != self._dtype:
                raise SizeError(
                    f"set_: this tensor has dtype {self._dtype.name}, and the source has "
                    f"{source.dtype.name}. Convert one of them: to(dtype)."
                )
            storage = source.untyped_storage()
            layout = source.layout
            if size is not None:
                layout = self._given(size, stride, storage_offset)
        elif source is None:
            storage, layout = Storage(0), self._given((0,), None, 0)
        elif isinstance(source, Storage):
            storage = source
            sizes = (storage.nbytes() // self._dtype.itemsize,) if size is None else size
            layout = self._given(sizes, stride, storage_offset)
        else:
            raise ArgumentError(
                f"set_: give a stridekit tensor or storage, not a {type(source).__name__}."
            )
        self._occupy(layout, storage, self._dtype)
        return self

    def transpose_(self, dim0: SupportsIndex, dim1: SupportsIndex) -> Self:
        """`transpose`, done to this tensor's own header."""
        return self._become(rules.transpose(self._layout, dim0, dim1))

    def t_(self) -> Self:
        """`t`, done to this tensor's own header."""
        return self._become(self.t().layout)

    def squeeze_(self, dim: Any = None) -> Self:
        """`squeeze`, done to this tensor's own header."""
        return self._become(self.squeeze(dim).layout)

    def unsqueeze_(self, dim: SupportsIndex) -> Self:
        """`unsqueeze`, done to this tensor's own header."""
        return self._become(rules.unsqueeze(self._layout, dim))

    def _become(self, layout: Layout) -> Self:
        self._layout = checked(layout, self._storage, self._dtype)
        return self

    def _occupy(self, layout: Layout, storage: Storage, dtype: DType) -> None:
        """Take a header, growing the storage if it must: all of it, or nothing."""
        if layout.numel >= 1 << 62:
            raise SizeError(f"size {layout.size}: so many elements fit no memory.")
        reach = layout.reach
        if reach is not None and layout.storage_offset >= 0 and min(layout.stride, default=0) >= 0:
            storage.grow((reach[1] + 1) * dtype.itemsize)
        self._layout = checked(layout, storage, dtype)
        self._storage = storage

    def _given(self, size: Any, stride: Any, storage_offset: SupportsIndex) -> Layout:
        """The layout for `set_`. Without a stride the same size keeps its own, as in resize_."""
        sizes = tuple(size)
        own = self.stride() if sizes == self.shape else None
        layout = Layout.of(sizes, stride or own, as_int("set_", "storage_offset", storage_offset))
        if layout.storage_offset < 0 or min(layout.stride, default=0) < 0:
            raise SizeError(
                f"set_: stride {layout.stride} and storage_offset {layout.storage_offset} must not "
                "be negative."
            )
        return layout

    def _set_picked(self, items: Any, value: Any) -> None:
        picked = pick(self._layout, items)
        dtype = self._dtype
        if isinstance(value, Header):
            source = _without_leading_ones(value, len(picked.size))
            plan = plan_expand(source.layout, picked.size)
            if isinstance(plan, ExpandObstacle):
                raise SizeError(
                    f"[...] = a tensor of size {value.shape}: {len(picked.positions)} elements of "
                    f"size {picked.size} are named, and the two do not broadcast."
                )
            packed = source.untyped_storage().gather(plan, source.element_size())
            if source.dtype != dtype:
                raise SizeError(
                    f"[...] = a tensor of {source.dtype.name}: picked elements of {dtype.name} "
                    "take their own dtype only. Convert it: to(dtype)."
                )
        else:
            packed = dtype.pack([value]) * len(picked.positions)
        self._storage.scatter_at(picked.positions, dtype.itemsize, packed)

    def _arithmetic(self, call: str, other: Any, numbers: Any, truths: Any) -> Self:
        dtype = self._dtype
        operate = truths if dtype.kind == "bool" else numbers
        if isinstance(other, Header):
            layout = self._broadcast(call, other)
            self._require_kind(call, other.dtype.kind)
            _require_apart(call, self, other)
            packed = other.untyped_storage().gather(layout, other.element_size())
            theirs = [_promoted(dtype, other.dtype, value) for value in other.dtype.unpack(packed)]
        else:
            value = _number(call, other)
            self._require_kind(call, kind_of(value))
            _require_apart(call, self, None)
            # torch multiplies half floats by a number in float32, and adds in their own dtype.
            half = call == "mul_" and dtype.name in ("float16", "bfloat16")
            theirs = [_rounded(float32 if half else dtype, value)] * self.numel()
        self._storage.require_writable()
        if is_dense(self.shape, self.stride()):
            mine = dtype.unpack(self._storage.gather(self._layout, dtype.itemsize))
            results = map(dtype.cast, map(operate, mine, theirs))
            self._storage.scatter(self._layout, dtype.itemsize, dtype.pack(results))
        else:
            # One after another: where positions are shared, each index works on what is there.
            for position, value in zip(self._layout.positions(), theirs, strict=True):
                result = dtype.cast(operate(self._storage.read(dtype, position), value))
                self._storage.write(dtype, position, result)
        return self

    def _broadcast(self, call: str, source: Header) -> Layout:
        plan = plan_expand(source.layout, self.shape)
        if isinstance(plan, ExpandObstacle):
            raise SizeError(
                f"{call} on size {self.shape} from size {source.shape}: the source does not "
                "broadcast to it."
            )
        return plan

    def _require_kind(self, call: str, kind: Kind) -> None:
        if not can_hold_kind(self._dtype, kind):
            raise ValueRangeError(
                f"{call}: the result would be {kind}, and {self._dtype.name} cannot hold that. "
                "Convert first: to(dtype)."
            )


def _require_apart(call: str, target: Header, source: Header | None) -> None:
    """Refuse what torch refuses: one position for many elements, or a partial overlap."""
    if target.numel() and not is_dense(target.shape, target.stride()):
        for dim, (n, step) in enumerate(zip(target.shape, target.stride(), strict=True)):
            if n > 1 and step == 0:
                raise OverlapError(
                    f"{call} on size {target.shape}, stride {target.stride()}: along dim {dim} all "
                    f"{n} indices share one position, so one element would be written {n} times. "
                    "clone() first."
                )
    if source is not None and source is not target and _partial_overlap(target, source):
        raise OverlapError(
            f"{call}: source and target lie on the same memory, shifted against each other, so "
            "elements would be written before they are read. clone() the source first."
        )


def _partial_overlap(target: Header, source: Header) -> bool:
    """What torch can tell: two dense runs of memory that meet without being the same."""
    both = (target, source)
    if not all(x.numel() and is_dense(x.shape, x.stride()) for x in both):
        return False
    if not target.shares_storage_with(source):
        return False
    (start, end), (other, other_end) = (
        (x.data_ptr(), x.data_ptr() + x.numel() * x.element_size()) for x in both
    )
    if (start, end) == (other, other_end):
        return target.stride() != source.stride()
    return start < other_end and other < end


def _without_leading_ones(value: Header, ndim: int) -> Header:
    """The value without the dims of size 1 that it has more than the target."""
    layout = value.layout
    while layout.ndim > ndim and layout.size[0] == 1:
        layout = rules.squeeze(layout, (0,))
    return Header(layout, value.untyped_storage(), value.dtype, value)


def _promoted(target: DType, source: DType, value: Number) -> Number:
    """A value of the source as it takes part in the arithmetic of the target."""
    return _rounded(target, value) if source.kind in ("bool", "int") else value


def _rounded(dtype: DType, value: Number) -> Number:
    """The value as a dtype that rounds has it; whole numbers stay as they are."""
    if dtype.kind in ("float", "complex"):
        return dtype.unpack(dtype.pack([dtype.cast(value)]))[0]
    return value


def _number(call: str, value: Any) -> Number:
    if isinstance(value, bool | int | float | complex):
        return value
    plain = getattr(value, "item", None)
    if plain is not None and getattr(value, "ndim", 0) == 0:
        number: Number = plain()
        return number
    raise ArgumentError(f"{call}: give a number or a stridekit tensor, not {value!r}.")


def _values(x: Header) -> list[Number]:
    return x.dtype.unpack(x.untyped_storage().gather(x.layout, x.element_size()))
