"""The tensor: a header over a storage, with torch's method names.

`Tensor` has three floors. `TensorHeader`, in `header`, is what a header says by itself: it is read,
and views are made of it. `TensorProtocols`, in `protocols`, is what Python, NumPy and torch ask of
a tensor, and what is left to torch. Here stands what reads, copies or writes elements, or gives the
tensor another header.

stridekit is for what lies in memory and why. `t.torch()` gives torch's tensor on the same memory,
and that calculates.
"""

from itertools import islice
from math import prod
from typing import Any, Self, SupportsIndex

from stridekit.errors import ArgumentError, LayoutError, SizeError, quoted
from stridekit.layouts import dims as rules
from stridekit.layouts.indexing import Pick, plan_index
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell, wrap_dim
from stridekit.layouts.memory_formats import (
    MemoryFormat,
    as_format,
    contiguous_format,
    follows,
    preserve_format,
    preserved_stride,
    stride_of,
    suggested,
)
from stridekit.layouts.view_rule import Obstacle, infer_size, plan_view
from stridekit.layouts.whole_numbers import counting, sizes_of
from stridekit.tensors import writes
from stridekit.tensors.dtypes import DType, Number
from stridekit.tensors.header import TensorHeader, checked
from stridekit.tensors.inputs import (
    NO_SOURCE,
    as_key,
    header_to_set,
    read_values,
    require_truth,
    target_of,
)
from stridekit.tensors.protocols import TensorProtocols
from stridekit.tensors.storage import Storage

# The most values that a repr shows.
SHOWN = 64


class Tensor(TensorProtocols):
    """A header (size, stride, storage_offset, dtype) over a storage.

    Sizes, strides and offsets are in elements. Views share the storage: a write through one
    is seen by all. Law: every position that the header reaches lies inside the storage; a
    header for which that fails is refused with LayoutError, so no method can read outside.

    >>> grid = sk.arange(12).view(3, 4)
    >>> grid.stride(), grid.t().stride()
    ((4, 1), (1, 4))
    >>> grid.t()[1].tolist()
    [1, 5, 9]
    """

    __slots__ = ()

    # Views, or copies where no view will do.

    def __getitem__(self, key: Any) -> Self:
        """A view for a basic key (ints, slices, `...`, None); a copy for lists and masks.

        Lists hold ints or bools; integer and bool tensors do as well. A list of lists is a
        table of indices, as in NumPy. Raises IndexRangeError, StepError, IndexKindError or
        ArgumentError.

        >>> grid = sk.arange(12).view(3, 4)
        >>> grid[1:, ::2].tolist()
        [[4, 6], [8, 10]]
        >>> grid[[2, 0], 1].tolist()
        [9, 1]
        """
        plan = plan_index(self._layout, as_key(key))
        if not isinstance(plan, Pick):
            return self._under(plan)
        values = self._storage.gather_at(plan.positions, self.itemsize)
        return self._new(plan.size, plan.stride, values)

    def contiguous(self, *, memory_format: MemoryFormat = contiguous_format) -> Self:
        """This very tensor if it is contiguous in that format; otherwise a copy that is.

        Law: the result is contiguous and has equal values. Raises LayoutError when the rank
        does not suit the format, or for preserve_format where a copy would be needed.

        >>> grid = sk.arange(6).view(2, 3)
        >>> grid.contiguous() is grid
        True
        >>> grid.t().contiguous().stride()
        (2, 1)
        """
        if follows(self._layout, as_format("contiguous", memory_format)):
            return self
        if memory_format is preserve_format:
            raise LayoutError(
                "contiguous(memory_format=preserve_format): that asks for a copy and for the old "
                "order at once. clone() keeps the order."
            )
        return self._copied("contiguous", memory_format)

    def reshape(self, *args: Any, shape: Any = None) -> Self:
        """A view if the strides allow one, otherwise a copy in row-major order.

        Whether it shares depends on the strides alone. Law: reading order stays. Raises
        SizeError when the number of elements differs.

        >>> grid = sk.arange(6).view(2, 3)
        >>> [grid.shares_storage_with(x.reshape(6)) for x in (grid, grid.t())]
        [True, False]
        """
        new_size = infer_size("reshape", self.numel(), sizes_of("reshape", args, shape))
        plan = plan_view(self._layout, new_size)
        if not isinstance(plan, Obstacle):
            return self._under(plan)
        return self._gathered(self._layout, new_size, contiguous_stride(new_size))

    def flatten(self, start_dim: SupportsIndex = 0, end_dim: SupportsIndex = -1) -> Self:
        """Some dims joined into one: this tensor itself, a view, or a copy, as with `reshape`.

        Raises SizeError when the dims are in the wrong order.

        >>> sk.zeros(2, 3, 4).flatten(1).shape
        (2, 12)
        """
        first = wrap_dim("flatten", start_dim, self.ndim)
        last = wrap_dim("flatten", end_dim, self.ndim)
        if first > last:
            raise SizeError(f"flatten({start_dim}, {end_dim}): the first dim comes after the last.")
        if not self.ndim:
            return self.reshape(1)
        if first == last:
            return self
        joined = prod(self.shape[first : last + 1])
        return self.reshape((*self.shape[:first], joined, *self.shape[last + 1 :]))

    def to(
        self,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: bool = False,
        memory_format: MemoryFormat = preserve_format,
        copy: bool = False,
    ) -> Self:
        """This very tensor if it has that dtype and suggests that format already; else a copy.

        The suggested format is a looser rule than contiguity: `to(memory_format=
        contiguous_format)` leaves a transposed matrix as it is. As in torch, what comes first is
        a dtype, the device "cpu" (and then a dtype), or a tensor whose dtype is meant; then
        `non_blocking` and `copy`. Raises LayoutError, DTypeError, StorageError for another device.

        >>> half = sk.arange(3).to(sk.float16)
        >>> half.tolist(), half.to(sk.float16) is half
        ([0.0, 1.0, 2.0], True)
        """
        asked, copy = target_of(
            args, device=device, dtype=dtype, non_blocking=non_blocking, copy=copy
        )
        kind = self._dtype if asked is None else asked
        is_so = as_format("to", memory_format) in (preserve_format, suggested(self._layout))
        if kind == self._dtype and is_so and not copy:
            return self
        return self._copied("to", memory_format, kind)

    # Copies.

    def clone(self, *, memory_format: MemoryFormat | None = preserve_format) -> Self:
        """A copy, always. A dense tensor keeps its strides, another one gets packed ones.

        Law: never shares. Raises LayoutError when the rank does not suit the format.

        >>> sk.zeros(2, 3).t().clone().stride(), sk.zeros(4, 3)[::2].clone().stride()
        ((1, 3), (3, 1))
        """
        return self._copied("clone", preserve_format if memory_format is None else memory_format)

    def repeat(self, *args: Any, repeats: Any = None) -> Self:
        """A copy, repeated along each dim as often as its number says; NumPy calls this tile.

        New dims may come on the left. Raises SizeError for negative counts or too few.

        >>> sk.arange(2).repeat(2, 2).tolist()
        [[0, 1, 0, 1], [0, 1, 0, 1]]
        """
        times = sizes_of("repeat", args, repeats)
        if len(times) < self.ndim or min(times, default=0) < 0:
            raise SizeError(
                f"repeat({spell(times)}) on size {self.shape}: give one count for each dim, and "
                "none below 0."
            )
        lead = len(times) - self.ndim
        dims = [*zip(times, [(1, 0)] * lead + self._layout.dims, strict=True)]
        tiled = [pair for count, own in dims for pair in ((count, 0), own)]
        size = tuple(count * n for count, (n, _) in dims)
        checked(Layout(size, contiguous_stride(size)), None, self._dtype)
        layout = Layout.over(tiled, self.storage_offset())
        return self._gathered(layout, size, contiguous_stride(size))

    def flip(self, *args: Any, dims: Any = None) -> Self:
        """A copy with the indices of some dims in reverse: torch has no negative strides.

        Raises DimError, or LayoutError for a dim that is named twice.

        >>> sk.arange(3).flip(0).tolist()
        [2, 1, 0]
        """
        turned = rules.distinct("flip", self._layout, sizes_of("flip", args, dims, "a dim"))
        stride, offset = list(self.stride()), self.storage_offset()
        for dim in turned if self.ndim and self.numel() else ():
            offset += (self.shape[dim] - 1) * stride[dim]
            stride[dim] = -stride[dim]
        backwards = Layout(self.shape, tuple(stride), offset)
        return self._gathered(backwards, self.shape, preserved_stride(self.shape, self.stride()))

    def __reversed__(self) -> Self:
        """A copy with dim 0 in reverse, as torch has it."""
        return self.flip(0) if self.ndim else self

    # Writes, which go to the storage: every tensor that reaches the same positions sees them.

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
        writes.put(self, key, value)

    def __delitem__(self, key: Any) -> None:
        """Refused with ArgumentError, as in torch: a tensor's memory has no gaps."""
        raise ArgumentError(
            f"del t[{quoted(key)}]: a tensor keeps all its elements. Index what you want to keep."
        )

    def fill_(self, value: Any) -> Self:
        """Every element set to one number; in place. Dims of stride 0 may be filled.

        A tensor of rank 0 is converted as `copy_` converts. Raises ValueRangeError for a plain
        number that the dtype cannot hold, MagnitudeError for one past 64 bits.

        >>> sk.zeros(2).fill_(7).tolist()
        [7.0, 7.0]
        """
        writes.fill(self, value)
        return self

    def zero_(self) -> Self:
        """Every element set to 0; in place."""
        return self.fill_(0)

    def copy_(self, other: Any, non_blocking: bool = False) -> Self:
        """Every element set to the source's, which broadcasts and is converted; in place.

        The source is a tensor or a number. There is one device here, so `non_blocking` changes
        nothing. Raises OverlapError, SizeError when the sizes do not fit.

        >>> sk.zeros(2, 2).copy_(sk.arange(2)).tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """
        require_truth("copy_", "non_blocking", non_blocking)
        writes.copy(self, other)
        return self

    def add_(self, other: Any) -> Self:
        """A number or a tensor added to every element; in place.

        Where windows overlap, a position is added to once for each index that reaches it.
        Raises OverlapError, SizeError, ValueRangeError when the result's kind does not fit.

        >>> sk.arange(3).add_(10).tolist()
        [10, 11, 12]
        """
        writes.calculate("add_", self, other)
        return self

    def mul_(self, other: Any) -> Self:
        """Every element multiplied by a number or a tensor; in place. Raises as `add_` does.

        >>> sk.arange(3).mul_(10).tolist()
        [0, 10, 20]
        """
        writes.calculate("mul_", self, other)
        return self

    __iadd__, __imul__ = add_, mul_

    # Another header for this very tensor. Headers are frozen: what changes is which one it has.

    def resize_(
        self, *args: Any, size: Any = None, memory_format: MemoryFormat | None = None
    ) -> Self:
        """Another size in row-major order from the same offset on; in place.

        It keeps storage order, not the elements you see. The same size changes nothing, strides
        included, unless a memory_format is given. The storage grows if it must, and never
        shrinks; what is new is uninitialised. Raises StorageError when it may not grow
        (ATen/native/Resize.cpp).

        >>> sk.arange(1, 5).view(2, 2).narrow(1, 1, 1).resize_(2).tolist()
        [2, 3]
        """
        new_size = counting("resize_", sizes_of("resize_", args, size))
        if memory_format is not None and as_format("resize_", memory_format) is preserve_format:
            raise LayoutError("resize_(memory_format=preserve_format): name the format you mean.")
        layout = self._layout
        if memory_format is not None or new_size != layout.size:
            stride = stride_of("resize_", new_size, memory_format or contiguous_format)
            layout = Layout(new_size, stride, layout.storage_offset)
        return self._occupy(layout, self._storage)

    def set_(
        self,
        source: "TensorHeader | Storage" = NO_SOURCE,
        storage_offset: SupportsIndex | None = None,
        size: Any = None,
        stride: Any = None,
    ) -> Self:
        """Another storage under this tensor, with a header given or taken from a tensor; in place.

        Without a source: an empty storage. A header that is given has a storage_offset and a size;
        over a tensor, which is contiguous then, the offset counts from its first element. Raises
        SizeError for a tensor of another dtype, ArgumentError for half a header.

        >>> tail = sk.arange(6)[2:]
        >>> sk.zeros(0, dtype="int64").set_(tail.untyped_storage(), 0, (6,)).tolist()
        [0, 1, 2, 3, 4, 5]
        """
        return self._occupy(*header_to_set(self, source, storage_offset, size, stride))

    # Values out.

    def tolist(self) -> Any:
        """The values as nested lists; of rank 0, the bare value.

        >>> sk.arange(4).view(2, 2).tolist()
        [[0, 1], [2, 3]]
        """
        values: list[Any]
        size = self.shape
        if self.numel():
            values = read_values(self)
        else:
            # Lists are made only as deep as there is something to count.
            size = size[: size.index(0)]
            if prod(size) > 1 << 32:
                raise SizeError(f"tolist() on size {self.shape}: so many lists fit no memory.")
            values = [[] for _ in range(prod(size))]
        for n in reversed(size[1:]):
            values = [values[i : i + n] for i in range(0, len(values), n)]
        return values if size else values[0]

    def item(self) -> Number:
        """The one value. Raises SizeError when there is not just one.

        >>> sk.tensor([[5]]).item()
        5
        """
        if self.numel() != 1:
            raise SizeError(
                f"item() on size {self.shape}: it is for one element, and there are "
                f"{self.numel()}. tolist() gives them all."
            )
        return read_values(self)[0]

    def __repr__(self) -> str:
        layout = self._layout
        if not layout.numel:
            values = "[]"
        elif layout.numel <= SHOWN:
            values = str(self.tolist())
        else:
            first = self._storage.gather_at(islice(layout.positions(), 6), self.itemsize)
            values = f"[{', '.join(map(str, self._dtype.unpack(first)))}, ...]"
        return (
            f"Tensor({values}, size={layout.size}, stride={layout.stride}, "
            f"storage_offset={layout.storage_offset}, dtype={self._dtype.name})"
        )

    # What these share.

    def _copied(self, call: str, memory_format: MemoryFormat, dtype: DType | None = None) -> Self:
        if as_format(call, memory_format) is preserve_format:
            stride = preserved_stride(self.shape, self.stride())
        else:
            stride = stride_of(call, self.shape, memory_format)
        if dtype is None or dtype == self._dtype:
            return self._gathered(self._layout, self.shape, stride)
        writes.warn_imaginary(call, self._dtype, dtype)
        return self._new(self.shape, stride, dtype.pack(map(dtype.cast, read_values(self))), dtype)

    def _gathered(self, layout: Layout, size: Ints, stride: Ints) -> Self:
        """A copy of what a layout visits, under another size and stride."""
        return self._new(size, stride, self._storage.gather(layout, self.itemsize))

    def _new(self, size: Ints, stride: Ints, values: bytearray, dtype: DType | None = None) -> Self:
        """A tensor on a storage of its own, from elements in row-major order."""
        kind = self._dtype if dtype is None else dtype
        if stride == contiguous_stride(size):
            storage = Storage.wrap(values, resizable=True)
        else:
            storage = Storage(len(values))
            storage.scatter(Layout(size, stride), kind.itemsize, values)
        return type(self)(Layout(size, stride), storage, kind)

    def _occupy(self, layout: Layout, storage: Storage) -> Self:
        """Take a header, growing the storage if it must: all of it, or nothing."""
        if layout.numel >= 1 << 62:
            raise SizeError(f"size {layout.size}: so many elements fit no memory.")
        reach = layout.reach
        # torch grows no storage for an offset alone.
        is_new = (layout.size, layout.stride) != (self.shape, self.stride())
        if is_new and reach and layout.storage_offset >= 0 and min(layout.stride, default=0) >= 0:
            storage.grow((reach[1] + 1) * self.itemsize)
        self._layout = checked(layout, storage, self._dtype)
        self._storage = storage
        return self


def new(size: Ints, dtype: DType, values: bytearray) -> Tensor:
    """A row-major tensor on a new storage that holds these bytes."""
    return Tensor(Layout.of(size), Storage.wrap(values, resizable=True), dtype)
