"""The tensor: a header over a storage, with torch's method names.

The methods here are thin. What a view becomes is worked out on layouts, in `layout`,
`viewing` and `indexing`; the elements are moved by `storage`.
"""

import struct
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from stridekit.dtypes import DType
from stridekit.errors import ArgumentError, DimError, LayoutError, SizeError, ViewError
from stridekit.indexing import Key, index_layout
from stridekit.layout import Ints, Layout, as_int, wrap_dim
from stridekit.storage import Storage
from stridekit.viewing import Obstacle, plan_view


class Tensor:
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

    __slots__ = ("__weakref__", "_base", "_dtype", "_layout", "_storage")

    def __init__(
        self, layout: Layout, storage: Storage, dtype: DType, base: "Tensor | None" = None
    ) -> None:
        capacity = storage.nbytes // dtype.itemsize
        reach = layout.reach
        if min(layout.stride, default=0) < 0:
            raise LayoutError(
                f"Tensor: stride {layout.stride} has a negative entry. torch has no negative "
                "strides; flip() copies instead."
            )
        if layout.storage_offset < 0 or (reach is not None and reach[1] >= capacity):
            raise LayoutError(
                f"Tensor: size {layout.size}, stride {layout.stride}, storage_offset "
                f"{layout.storage_offset} reaches position {reach[1] if reach else 0}, and the "
                f"storage holds {capacity} elements of {dtype.name}."
            )
        self._layout = layout
        self._storage = storage
        self._dtype = dtype
        self._base = base

    # The header

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

    @overload
    def size(self) -> Ints: ...
    @overload
    def size(self, dim: SupportsIndex) -> int: ...
    def size(self, dim: SupportsIndex | None = None) -> Ints | int:
        """The size of every dim, or of one. Raises DimError."""
        if dim is None:
            return self._layout.size
        return self._layout.size[self._own_dim("size", dim)]

    @overload
    def stride(self) -> Ints: ...
    @overload
    def stride(self, dim: SupportsIndex) -> int: ...
    def stride(self, dim: SupportsIndex | None = None) -> Ints | int:
        """How many elements the storage position moves per step: in every dim, or in one."""
        if dim is None:
            return self._layout.stride
        return self._layout.stride[self._own_dim("stride", dim)]

    def storage_offset(self) -> int:
        """The position of the first element, in elements."""
        return self._layout.storage_offset

    def dim(self) -> int:
        """The number of dims."""
        return self._layout.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._layout.numel

    def element_size(self) -> int:
        """The size of one element, in bytes."""
        return self._dtype.itemsize

    def is_contiguous(self) -> bool:
        """Whether row-major order visits neighbouring positions, one after another.

        >>> sk.arange(6).view(2, 3).is_contiguous(), sk.arange(6).view(2, 3).t().is_contiguous()
        (True, False)
        """
        return self._layout.is_contiguous

    # The storage

    def untyped_storage(self) -> Storage:
        """The storage, which other tensors may share. It counts in bytes."""
        return self._storage

    @property
    def base(self) -> "Tensor | None":
        """The tensor that this one is a view of; None for one that is no view."""
        return self._base

    # Views: a new header, the same storage

    def view(self, *size: Any) -> "Tensor":
        """The same elements in the same order, under another size. Never copies.

        One entry may be -1. Law: `t.view(n).view(t.size())` has t's values.
        Raises SizeError when the number of elements differs, ViewError when the strides make
        it impossible (ATen/TensorUtils.cpp, computeStride).

        >>> sk.arange(12).view(3, 4).view(2, -1).shape
        (2, 6)
        """
        new_size = sizes_of("view", size)
        plan = plan_view(self._layout, new_size)
        if isinstance(plan, Obstacle):
            raise ViewError(plan.message, plan)
        return self._under(plan)

    def transpose(self, dim0: SupportsIndex, dim1: SupportsIndex) -> "Tensor":
        """Two dims exchanged. Sizes and strides swap places; nothing moves. Raises DimError.

        >>> sk.arange(24).view(2, 3, 4).transpose(0, 2).stride()
        (1, 4, 12)
        """
        return self._under(self._layout.transpose(dim0, dim1))

    def t(self) -> "Tensor":
        """The transpose of a matrix; a tensor of fewer dims as it is.

        Raises SizeError for more than two dims.
        """
        if self.ndim > 2:
            raise SizeError(
                f"t() on size {self.shape}: it is for at most 2 dims. "
                "transpose(dim0, dim1) says which two to exchange."
            )
        return self._under(self._layout.transpose(0, -1))

    def permute(self, *dims: Any) -> "Tensor":
        """Dim d of the result is dim dims[d] of this tensor. Nothing moves.

        Law: `t.permute(p).permute(inverse of p)` has t's header.
        Raises PermutationError or DimError.

        >>> sk.arange(24).view(2, 3, 4).permute(2, 0, 1).shape
        (4, 2, 3)
        """
        order = dims[0] if len(dims) == 1 and isinstance(dims[0], Sequence) else dims
        return self._under(self._layout.permute(tuple(order)))

    def __getitem__(self, key: Key) -> "Tensor":
        """Basic indexing: ints, slices, `...` and None. A view, never a copy.

        Raises IndexRangeError, StepError, IndexKindError or ArgumentError.

        >>> sk.arange(12).view(3, 4)[1:, ::2].tolist()
        [[4, 6], [8, 10]]
        """
        return self._under(index_layout(self._layout, key))

    # May copy

    def contiguous(self) -> "Tensor":
        """This very tensor if it is contiguous; otherwise a copy in row-major order.

        Law: the result is contiguous and has equal values.

        >>> grid = sk.arange(6).view(2, 3)
        >>> grid.contiguous() is grid
        True
        >>> grid.t().contiguous().stride()
        (2, 1)
        """
        if self.is_contiguous():
            return self
        gathered = self._storage.gather(self._layout, self._dtype.itemsize)
        return Tensor(Layout.of(self.shape), Storage.wrap(gathered), self._dtype)

    # Out

    def tolist(self) -> Any:
        """The values as nested lists; of rank 0, the bare value."""
        gathered = self._storage.gather(self._layout, self._dtype.itemsize)
        values: list[Any] = list(struct.unpack(f"={self.numel()}{self._dtype.code}", gathered))
        if self.numel() == 0:
            return _empty_nest(self.shape)
        for n in reversed(self.shape[1:]):
            values = [values[i : i + n] for i in range(0, len(values), n)]
        return values if self.shape else values[0]

    def numpy(self) -> Any:
        """A NumPy array on the same memory. Writes are seen on both sides."""
        from stridekit.interop.numpy import to_numpy

        return to_numpy(self)

    def torch(self) -> Any:
        """A torch tensor on the same memory. Writes are seen on both sides."""
        from stridekit.interop.torch import to_torch

        return to_torch(self)

    def __len__(self) -> int:
        """The size of dim 0. Raises ArgumentError for rank 0, as torch does."""
        if not self.shape:
            raise ArgumentError("len() of a tensor of rank 0: it has no dim to count along.")
        return self.shape[0]

    def __repr__(self) -> str:
        layout = self._layout
        return (
            f"Tensor({self.tolist()}, size={layout.size}, stride={layout.stride}, "
            f"storage_offset={layout.storage_offset}, dtype={self._dtype.name})"
        )

    def _under(self, layout: Layout) -> "Tensor":
        base = self if self._base is None else self._base
        return Tensor(layout, self._storage, self._dtype, base)

    def _own_dim(self, call: str, dim: SupportsIndex) -> int:
        if not self.shape:
            raise DimError(f"{call}({dim}): a tensor of rank 0 has no dims.")
        return wrap_dim(call, dim, self.ndim)


def sizes_of(call: str, arguments: tuple[Any, ...]) -> Ints:
    """The size meant by `f(2, 3)`, `f((2, 3))` or `f([2, 3])`. Raises ArgumentError."""
    if len(arguments) == 1 and isinstance(arguments[0], Sequence):
        arguments = tuple(arguments[0])
    elif not arguments:
        raise ArgumentError(f"{call}() needs a size: {call}(2, 3), or {call}(()) for rank 0.")
    return tuple(as_int(call, "a size", n) for n in arguments)


def _empty_nest(size: Ints) -> list[Any]:
    # Lists are made only as deep as there is something to count.
    first, rest = size[0], size[1:]
    return [_empty_nest(rest) for _ in range(first)] if rest else []
