"""What a header says by itself, and the other headers that its storage can be looked at through.

Nothing here looks at an element, so nothing copies, and no cost depends on how many elements there
are. What a view becomes is worked out by the rules in `stridekit.layouts`; here it gets a storage.
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any, Self, SupportsIndex, overload

from stridekit.errors import ArgumentError, ExpandError, LayoutError, SizeError, ViewError, caution
from stridekit.layouts import dims as rules
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, count
from stridekit.layouts.memory_formats import MemoryFormat, as_format, contiguous_format, follows
from stridekit.layouts.view_rule import Obstacle, plan_view, view_dtype
from stridekit.layouts.whole_numbers import WIDEST, a_type, sizes_of
from stridekit.tensors.dtypes import DType, as_dtype
from stridekit.tensors.storage import Storage


class TensorHeader:
    """Size, stride, storage_offset and dtype over a storage. See `Tensor`."""

    __slots__ = ("__weakref__", "_base", "_dtype", "_layout", "_storage")

    def __init__(
        self,
        layout: Layout,
        storage: Storage | None = None,
        dtype: DType | None = None,
        base: "TensorHeader | None" = None,
    ) -> None:
        is_layout = isinstance(layout, Layout)
        if not is_layout or not isinstance(storage, Storage) or not isinstance(dtype, DType):
            raise ArgumentError(
                "Tensor: a header over a storage is made of a Layout, a Storage and a DType. "
                "tensor(...) makes one of numbers, zeros(...) one of a size."
            )
        self._layout = checked(layout, storage, dtype)
        self._storage = storage
        self._dtype = dtype
        self._base = base

    # What it says.

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
    def base(self) -> "TensorHeader | None":
        """The tensor that this one is a view of; None for one that is not a view."""
        return self._base

    @property
    def itemsize(self) -> int:
        """The size of one element, in bytes."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The size of all elements, in bytes, those that share a position counted one by one."""
        return self._layout.numel * self._dtype.itemsize

    @overload
    def size(self) -> Ints: ...
    @overload
    def size(self, dim: SupportsIndex) -> int: ...
    def size(self, dim: SupportsIndex | None = None) -> Ints | int:
        """The size of every dim, or of one. Raises DimError.

        >>> sk.zeros(2, 3).size(), sk.zeros(2, 3).size(-1)
        ((2, 3), 3)
        """
        layout = self._layout
        return layout.size if dim is None else layout.size[rules.own_dim("size", layout, dim)]

    @overload
    def stride(self) -> Ints: ...
    @overload
    def stride(self, dim: SupportsIndex) -> int: ...
    def stride(self, dim: SupportsIndex | None = None) -> Ints | int:
        """How many elements the storage position moves per step: in every dim, or in one.

        >>> sk.zeros(2, 3).stride(), sk.zeros(2, 3).stride(0)
        ((3, 1), 3)
        """
        layout = self._layout
        return layout.stride if dim is None else layout.stride[rules.own_dim("stride", layout, dim)]

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

    def is_contiguous(self, *, memory_format: MemoryFormat = contiguous_format) -> bool:
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
        """The address of the first element, in bytes; 0 without elements, as in torch."""
        if not self.numel():
            return 0
        return self._storage.data_ptr() + self._layout.storage_offset * self._dtype.itemsize

    def shares_storage_with(self, other: "TensorHeader") -> bool:
        """Whether both lie on one storage, even without an element in common.

        >>> grid = sk.arange(6).view(2, 3)
        >>> grid.shares_storage_with(grid[1]), grid.shares_storage_with(grid.clone())
        (True, False)
        """
        if not isinstance(other, TensorHeader):
            raise ArgumentError(
                f"shares_storage_with: give a stridekit tensor, not {a_type(other)}."
            )
        mine, theirs = self._storage, other.untyped_storage()
        return mine is theirs or mine.data_ptr() == theirs.data_ptr() != 0

    # Views.

    def view(self, *args: Any, size: Any = None, dtype: Any = None) -> Self:
        """The same elements in the same order under another size, or the same bytes as a dtype.

        One entry of the size may be -1. Law: `t.view(n).view(t.size())` has t's values.
        With a dtype of another itemsize the last dim grows or shrinks by the ratio.
        Raises SizeError when the number of elements differs, ViewError when the strides make
        it impossible (ATen/TensorUtils.cpp, computeStride).

        >>> sk.arange(12).view(3, 4).view(2, -1).shape
        (2, 6)
        >>> sk.arange(3).view(sk.int32).tolist()
        [0, 0, 1, 0, 2, 0]
        """
        if dtype is None and len(args) == 1 and isinstance(args[0], DType | type):
            (dtype,), args = args, ()
        if dtype is not None:
            if args or size is not None:
                raise ArgumentError("view: give a size or a dtype. Two calls change both.")
            kind = as_dtype(dtype)
            return self._under(view_dtype(self._layout, self.itemsize, kind.itemsize), kind)
        plan = plan_view(self._layout, sizes_of("view", args, size))
        if isinstance(plan, Obstacle):
            raise ViewError(plan.message, plan)
        return self._under(plan)

    def transpose(self, dim0: SupportsIndex, dim1: SupportsIndex) -> Self:
        """Two dims exchanged. Sizes and strides swap places; nothing moves. Raises DimError.

        >>> sk.arange(24).view(2, 3, 4).transpose(0, 2).stride()
        (1, 4, 12)
        """
        return self._under(rules.transpose(self._layout, dim0, dim1))

    def t(self) -> Self:
        """The transpose of a matrix; a tensor of fewer dims as it is.

        Raises SizeError for more than two dims.
        """
        if self.ndim > 2:
            raise SizeError(
                f"t() on size {self.shape}: it is for at most 2 dims: "
                "transpose(dim0, dim1) says which two to exchange."
            )
        return self._under(rules.transpose(self._layout, 0, -1))

    @property
    def T(self) -> Self:  # noqa: N802 - torch's name
        """All dims in reverse order. It is for matrices, and warns elsewhere, as in torch."""
        if self.ndim != 2:
            caution(
                f"T on size {self.shape}: it is meant for 2 dims. permute(...) says which dim goes "
                "where; mT transposes matrices in a batch."
            )
        return self._under(rules.permute(self._layout, range(self.ndim)[::-1]))

    @property
    def mT(self) -> Self:  # noqa: N802 - torch's name
        """The last two dims exchanged; rank 0 as it is. Raises SizeError for rank 1."""
        if self.ndim == 1:
            raise SizeError("mT on rank 1: it exchanges the last two dims, and there is one.")
        return self._under(rules.transpose(self._layout, -2, -1)) if self.ndim else self

    def permute(self, *args: Any, dims: Any = None) -> Self:
        """Dim d of the result is dim dims[d] of this tensor. Nothing moves.

        Law: `t.permute(p).permute(inverse of p)` has t's header.
        Raises LayoutError or DimError.

        >>> sk.arange(24).view(2, 3, 4).permute(2, 0, 1).shape
        (4, 2, 3)
        """
        return self._under(rules.permute(self._layout, sizes_of("permute", args, dims, "a dim")))

    def squeeze(self, *dims: Any, **named: Any) -> Self:
        """Without its dims of size 1, or without those named, if they have size 1.

        >>> sk.zeros(1, 3, 1).squeeze().shape, sk.zeros(1, 3, 1).squeeze(0).shape
        ((3,), (3, 1))
        """
        if named:
            if dims or set(named) != {"dim"}:
                raise ArgumentError("squeeze: give dim once, as an int or a tuple of them.")
            dims = (named["dim"],)
        is_listed = len(dims) == 1 and isinstance(dims[0], tuple | list)
        return self._under(rules.squeeze(self._layout, dims[0] if is_listed else dims or None))

    def unsqueeze(self, dim: SupportsIndex) -> Self:
        """With a new dim of size 1 before `dim`, which counts in the result.

        >>> sk.zeros(3, 4).unsqueeze(1).stride()
        (4, 4, 1)
        """
        return self._under(rules.unsqueeze(self._layout, dim))

    def select(self, dim: SupportsIndex, index: SupportsIndex) -> Self:
        """One dim dropped at one index: the offset moves by index * stride.

        >>> sk.arange(12).view(3, 4).select(1, -1).tolist()
        [3, 7, 11]
        """
        return self._under(rules.select(self._layout, dim, index))

    def narrow(self, dim: SupportsIndex, start: SupportsIndex, length: SupportsIndex) -> Self:
        """`length` indices of one dim, from `start` on.

        >>> sk.arange(6).narrow(0, 2, 3).tolist()
        [2, 3, 4]
        """
        if isinstance(start, TensorHeader) and (start.ndim or start.dtype.kind != "int"):
            raise SizeError("narrow: a tensor for start is a whole number, of rank 0.")
        return self._under(rules.narrow(self._layout, dim, start, length))

    def expand(self, *args: Any, size: Any = None) -> Self:
        """Dims of size 1 repeated, with stride 0; -1 keeps a size, and new dims come on the left.

        Costs nothing, however large. All the repeated elements are one: a write to one is seen
        in all. Raises ExpandError (ATen/ExpandUtils.cpp, inferExpandGeometry).

        >>> sk.arange(3).expand(10**12, 3).stride()
        (0, 1)
        """
        plan = plan_expand(self._layout, sizes_of("expand", args, size))
        if isinstance(plan, ExpandObstacle):
            raise ExpandError(plan.message, plan)
        return self._under(plan)

    def unfold(self, dimension: SupportsIndex, size: SupportsIndex, step: SupportsIndex) -> Self:
        """Windows over one dim, `step` apart; their elements are a new last dim.

        >>> sk.arange(5).unfold(0, 3, 1).tolist()
        [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
        """
        return self._under(rules.unfold(self._layout, dimension, size, step))

    def diagonal(
        self, offset: SupportsIndex = 0, dim1: SupportsIndex = 0, dim2: SupportsIndex = 1
    ) -> Self:
        """The diagonal of two dims, as a new last dim whose stride is the sum of both.

        >>> sk.arange(12).view(3, 4).diagonal().tolist()
        [0, 5, 10]
        """
        return self._under(rules.diagonal(self._layout, offset, dim1, dim2))

    def as_strided(
        self,
        size: Sequence[SupportsIndex],
        stride: Sequence[SupportsIndex],
        storage_offset: SupportsIndex | None = None,
    ) -> Self:
        """Any header over the same storage: this tensor's own size and stride play no part.

        The offset is this tensor's own unless it is given. Raises LayoutError for a header
        that leaves the storage.

        >>> sk.arange(6).as_strided((2, 2), (1, 2), 1).tolist()
        [[1, 3], [2, 4]]
        """
        return self._under(rules.as_strided(self._layout, size, stride, storage_offset))

    def detach(self) -> Self:
        """Another tensor with the same header on the same storage."""
        return self._under(self._layout)

    def _under(self, layout: Layout, dtype: DType | None = None) -> Self:
        """Another header over the same storage."""
        base = self if self._base is None else self._base
        return type(self)(layout, self._storage, dtype or self._dtype, base)


def checked(layout: Layout, storage: Storage | None, dtype: DType) -> Layout:
    """The layout, if every position that it reaches lies in the storage.

    With this check no method can read or write outside. Without a storage, what is checked is
    that there can be one. Raises LayoutError.
    """
    size, stride, offset, numel = layout.size, layout.stride, layout.storage_offset, layout.numel
    why = ""
    if stride and min(stride) < 0:
        why = f"stride {stride} has a negative entry, and torch has no negative strides. "
        why += "flip() copies instead."
    elif offset < 0:
        why = f"storage_offset {offset} lies before the storage."
    # torch multiplies from the left, and past 64 bits no later 0 helps.
    elif numel > WIDEST or (not numel and max(accumulate(size, mul)) > WIDEST):
        why = f"size {size} is too large: nobody can count its elements, because their number goes "
        why += "past 64 bits."
    elif stride and max(stride) > WIDEST:
        why = f"size {size}, stride {stride}: a stride goes past 64 bits, and no memory is so long."
    elif offset > WIDEST:
        why = f"storage_offset {offset} goes past 64 bits."
    elif numel:
        last = offset
        for n, step in layout.dims:
            last += (n - 1) * step
        held = (WIDEST if storage is None else storage.nbytes()) // dtype.itemsize
        if last >= held and storage is None:
            why = f"size {size}: so many elements fit no memory."
        elif last >= held:
            why = (
                f"size {size}, stride {stride}, storage_offset {offset} reaches position {last:,}, "
            )
            why += f"and the storage holds {count(held, 'element')} of {dtype.name}."
    if why:
        raise LayoutError(why)
    return layout
