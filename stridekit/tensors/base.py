"""The ground floor of a tensor: its header, its storage, and what can be read off them.

`Tensor` is built in storeys, each a class over the one below: `TensorBase`, then `Views` (never
copy), `Copies` (may copy), `Writes` (in place), and `Tensor` itself (values out).
"""

from itertools import accumulate
from operator import mul
from typing import Any, Self, SupportsIndex, overload

from stridekit.errors import ArgumentError, DimError, LayoutError
from stridekit.layouts.layout import Ints, Layout, wrap_dim
from stridekit.layouts.memory_formats import MemoryFormat, contiguous_format, follows
from stridekit.layouts.whole_numbers import WIDEST, as_int
from stridekit.tensors.dtypes import DType
from stridekit.tensors.storage import Storage


class TensorBase:
    """Size, stride, storage_offset and dtype over a storage. See `Tensor`."""

    __slots__ = ("__weakref__", "_base", "_dtype", "_layout", "_storage")

    def __init__(
        self, layout: Layout, storage: Storage, dtype: DType, base: "TensorBase | None" = None
    ) -> None:
        self._layout = checked(layout, storage, dtype)
        self._storage = storage
        self._dtype = dtype
        self._base = base

    @property
    def layout(self) -> Layout:
        """Size, stride and storage_offset, as a frozen `Layout`."""
        return self._layout

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self._dtype

    @property
    def shape(self) -> Ints:
        """The size, in elements per dim."""
        return self._layout.size

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return self._layout.ndim

    @property
    def base(self) -> "TensorBase | None":
        """The tensor that this one is a view of; None for one that is no view."""
        return self._base

    @overload
    def size(self) -> Ints: ...
    @overload
    def size(self, dim: SupportsIndex) -> int: ...
    def size(self, dim: SupportsIndex | None = None) -> Ints | int:
        """The size of every dim, or of one. Raises DimError.

        >>> sk.zeros(2, 3).size(), sk.zeros(2, 3).size(-1)
        ((2, 3), 3)
        """
        return self._layout.size if dim is None else self._layout.size[self._own("size", dim)]

    @overload
    def stride(self) -> Ints: ...
    @overload
    def stride(self, dim: SupportsIndex) -> int: ...
    def stride(self, dim: SupportsIndex | None = None) -> Ints | int:
        """How many elements the storage position moves per step: in every dim, or in one.

        >>> sk.zeros(2, 3).stride(), sk.zeros(2, 3).stride(0)
        ((3, 1), 3)
        """
        return self._layout.stride if dim is None else self._layout.stride[self._own("stride", dim)]

    def storage_offset(self) -> int:
        """The position of the first element, in elements."""
        return self._layout.storage_offset

    def dim(self) -> int:
        """The number of dims."""
        return self._layout.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._layout.numel

    def nelement(self) -> int:
        """The number of elements, by another name."""
        return self._layout.numel

    @property
    def itemsize(self) -> int:
        """The size of one element, in bytes."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The size of all elements, in bytes, those that share a position counted one by one."""
        return self._layout.numel * self._dtype.itemsize

    def is_floating_point(self) -> bool:
        """Whether the elements are real floating point numbers."""
        return self._dtype.kind == "float"

    def is_complex(self) -> bool:
        """Whether the elements are complex numbers."""
        return self._dtype.kind == "complex"

    def element_size(self) -> int:
        """The size of one element, in bytes."""
        return self._dtype.itemsize

    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Whether reading in the format's order visits neighbouring positions, one by one.

        >>> grid = sk.arange(6).view(2, 3)
        >>> grid.is_contiguous(), grid.t().is_contiguous()
        (True, False)
        """
        return follows(self._layout, as_format("is_contiguous", memory_format))

    def untyped_storage(self) -> Storage:
        """The storage, which other tensors may share. It counts in bytes."""
        return self._storage

    def data_ptr(self) -> int:
        """The address of the first element, in bytes; 0 when there are none, as in torch."""
        if not self.numel():
            return 0
        return self._storage.data_ptr() + self._layout.storage_offset * self._dtype.itemsize

    def shares_storage_with(self, other: "TensorBase") -> bool:
        """Whether both lie on one storage, be it without an element in common.

        >>> grid = sk.arange(6).view(2, 3)
        >>> grid.shares_storage_with(grid[1]), grid.shares_storage_with(grid.clone())
        (True, False)
        """
        if not isinstance(other, TensorBase):
            raise ArgumentError(
                f"shares_storage_with: give a stridekit tensor, not a {type(other).__name__}."
            )
        mine, theirs = self._storage, other.untyped_storage()
        return mine is theirs or mine.data_ptr() == theirs.data_ptr() != 0

    def is_initialised(self, *index: Any) -> bool:
        """Whether one element, or without an index every element, has been written.

        Only what `resize_` adds is uninitialised. torch cannot tell.

        >>> grown = sk.arange(2).resize_(3)
        >>> grown.is_initialised(1), grown.is_initialised(2)
        (True, False)
        """
        itemsize = self._dtype.itemsize
        coordinates = tuple(as_int("is_initialised", "an index", i) for i in index)
        if index or not self.ndim:
            position = self._layout.position(coordinates)
            return self._storage.is_written(position * itemsize, itemsize)
        storage = self._storage
        if storage.is_written(0, storage.nbytes()):
            return True
        return all(storage.is_written(p * itemsize, itemsize) for p in self._layout.positions())

    def _under(self, layout: Layout) -> Self:
        """Another header over the same storage."""
        base = self if self._base is None else self._base
        return type(self)(layout, self._storage, self._dtype, base)

    def _own(self, call: str, dim: SupportsIndex) -> int:
        if not self.ndim:
            raise DimError(f"{call}({dim}): a tensor of rank 0 has no dims.")
        return wrap_dim(call, dim, self.ndim)


def checked(layout: Layout, storage: Storage | None, dtype: DType) -> Layout:
    """The layout, if every position that it reaches lies in the storage.

    With this check no method can read or write outside. Without a storage, what is checked is
    that there can be one. Raises LayoutError.
    """
    capacity = WIDEST // dtype.itemsize if storage is None else storage.nbytes() // dtype.itemsize
    if layout.stride and min(layout.stride) < 0:
        raise LayoutError(
            f"stride {layout.stride} has a negative entry, and torch has no negative strides. "
            "flip() copies instead."
        )
    if layout.storage_offset < 0:
        raise LayoutError(f"storage_offset {layout.storage_offset} lies before the storage.")
    numel = layout.numel
    if (
        numel > WIDEST
        or (layout.size and max(layout.size) > WIDEST)
        or (not numel and _overflows(layout.size))
    ):
        raise LayoutError(
            f"size {layout.size} is too large: nobody can count its elements, "
            "because their number goes past 64 bits."
        )
    if layout.stride and max(layout.stride) > WIDEST:
        raise LayoutError(
            f"size {layout.size}, stride {layout.stride}: a stride goes past 64 bits, and no "
            "memory is so long."
        )
    if layout.storage_offset > WIDEST:
        raise LayoutError(f"storage_offset {layout.storage_offset} goes past 64 bits.")
    if numel:
        last = layout.storage_offset
        for n, step in zip(layout.size, layout.stride, strict=True):
            last += (n - 1) * step
        if last >= capacity:
            if storage is None:
                raise LayoutError(f"size {layout.size}: so many elements fit no memory.")
            raise LayoutError(
                f"size {layout.size}, stride {layout.stride}, storage_offset "
                f"{layout.storage_offset} reaches position {last}, and the storage holds "
                f"{capacity} elements of {dtype.name}."
            )
    return layout


def _overflows(size: Ints) -> bool:
    """Whether the running product passes 64 bits before a 0 ends it, as torch multiplies."""
    return any(product > WIDEST for product in accumulate(size, mul))


def as_format(call: str, memory_format: MemoryFormat) -> MemoryFormat:
    """The memory format, if it is one. Raises ArgumentError."""
    if not isinstance(memory_format, MemoryFormat):
        names = ", ".join(f"stridekit.{each.name}" for each in MemoryFormat)
        raise ArgumentError(f"{call}: {memory_format!r} is no memory format. There are {names}.")
    return memory_format
