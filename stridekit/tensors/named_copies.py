"""Copies by name: picked elements, turned tensors, other dtypes, and new tensors like this one."""

from typing import Any, Self, SupportsIndex

from stridekit.errors import (
    ArgumentError,
    DimError,
    IndexRangeError,
    SelectionError,
    SizeError,
)
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes, plan_expand
from stridekit.layouts.layout import Layout, contiguous_stride, wrap_dim
from stridekit.layouts.memory_formats import contiguous_format
from stridekit.layouts.whole_numbers import as_int, as_ints
from stridekit.tensors.base import TensorBase
from stridekit.tensors.copies import Copies
from stridekit.tensors.dtypes import (
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from stridekit.tensors.inputs import read_values
from stridekit.tensors.views import several, tensor_of


class NamedCopies(Copies):
    """What has a name and is a copy by an index, a flip or a repeat. See `Tensor`."""

    __slots__ = ()

    def reshape_as(self, other: TensorBase) -> Self:
        """`reshape(other.size())`: a view, or a copy."""
        return self.reshape(tensor_of("reshape_as", other).shape)

    def index_select(self, dim: SupportsIndex, index: TensorBase) -> Self:
        """A copy of some indices of one dim, in row-major order.

        Raises SizeError for an index of another dtype than int32 and int64, SelectionError.

        >>> sk.arange(6).view(2, 3).index_select(1, sk.tensor([2, 0])).tolist()
        [[2, 0], [5, 3]]
        """
        at = wrap_dim("index_select", dim, self.ndim)
        if tensor_of("index_select", index).ndim > 1:
            raise IndexRangeError(
                f"index_select: the index has size {index.shape}, and it is a list: of one dim."
            )
        if index.dtype not in (int32, int64):
            raise SizeError(f"index_select: an index of {index.dtype.name}. It is of int64.")
        chosen = [int(i) for i in read_values(index)]  # type: ignore[arg-type]
        if not self.ndim and len(chosen) != 1:
            raise SizeError("index_select on rank 0: there is one element to select.")
        n = self.shape[at] if self.ndim else 1
        if not n and chosen:
            raise SelectionError(
                f"index_select: dim {at} has size 0, so there is nothing to select."
            )
        for i in chosen:
            if not 0 <= i < n:
                raise SelectionError(f"index_select: index {i} is outside dim {at}, of size {n}.")
        if not self.ndim:
            return self.clone()
        picked = self[(*(slice(None),) * at, chosen)] if chosen else self.narrow(at, 0, 0)
        return picked.clone(memory_format=contiguous_format)

    def take_along_dim(self, indices: TensorBase, dim: SupportsIndex | None = None) -> Self:
        """A copy of one element for each index, which runs along `dim`; all other dims go along.

        Without a dim both are taken as one row. Raises SizeError or IndexRangeError.

        >>> sk.tensor([[3, 1], [2, 4]]).take_along_dim(sk.tensor([[1], [0]]), 1).tolist()
        [[1], [2]]
        """
        kind = tensor_of("take_along_dim", indices).dtype
        # Without a dim torch takes the way of `gather`, which asks less.
        taken = (int64,) if dim is not None else (int32, int64) if indices.numel() else (kind,)
        if kind not in taken:
            raise SizeError(f"take_along_dim: indices of {kind.name}. They are of int64.")
        if dim is None:
            row = type(self)(indices.layout, indices.untyped_storage(), kind).reshape(-1)
            return self.reshape(-1).take_along_dim(row, 0)
        if indices.ndim != self.ndim:
            raise SizeError(
                f"take_along_dim: size {self.shape} and indices of size {indices.shape} must have "
                "the same number of dims."
            )
        if not self.ndim:
            raise DimError("take_along_dim on rank 0: there is no dim to take along.")
        at = wrap_dim("take_along_dim", dim, self.ndim)
        outer = [
            broadcast_sizes((a,), (b,)) if d != at else (b,)
            for d, (a, b) in enumerate(zip(self.shape, indices.shape, strict=True))
        ]
        if any(isinstance(part, Misfit) for part in outer):
            raise SizeError(
                f"take_along_dim: size {self.shape} and indices of size {indices.shape} do not "
                f"broadcast outside of dim {at}."
            )
        size = tuple(int(part[0]) for part in outer)  # type: ignore[arg-type]
        plan = plan_expand(indices.layout, size)
        assert isinstance(plan, Layout)
        values = read_values(TensorBase(plan, indices.untyped_storage(), kind))
        source = plan_expand(self.layout, (*size[:at], -1, *size[at + 1 :]))
        assert isinstance(source, Layout)
        n = source.size[at]
        positions = []
        for place, i in zip(Layout.of(size).indices(), values, strict=True):
            if not -n <= i < n:  # type: ignore[operator]
                raise IndexRangeError(f"take_along_dim: index {i} is outside a dim of size {n}.")
            positions.append(source.position((*place[:at], int(i), *place[at + 1 :])))  # type: ignore[arg-type]
        packed = self._storage.gather_at(positions, self.element_size())
        return self._new(size, contiguous_stride(size), packed)

    def nonzero(self, *, as_tuple: Any = False) -> Any:
        """A copy of the indices of what is not 0, one row each; each dim's lie side by side.

        `as_tuple` gives its columns, one tensor for each dim, to index with.

        >>> sk.tensor([[1, 0], [0, 2]]).nonzero().tolist()
        [[0, 0], [1, 1]]
        """
        if not isinstance(as_tuple, bool):
            raise ArgumentError("nonzero: as_tuple is True or False.")
        places = [
            place
            for place, value in zip(self.layout.indices(), read_values(self), strict=True)
            if value
        ]
        size = (len(places), self.ndim)
        packed = int64.pack(i for place in places for i in place)
        found = self._new(size, (1, len(places)), packed, int64)
        if not as_tuple:
            return found
        # torch takes rank 0 for a row of one element here.
        return found.unbind(1) if self.ndim else (self.reshape(1).nonzero().select(1, 0),)

    def masked_select(self, mask: TensorBase) -> Self:
        """A copy of the elements where the mask, which broadcasts, is true. Raises SizeError."""
        if tensor_of("masked_select", mask).dtype != bool_:
            raise SizeError(f"masked_select: a mask of {mask.dtype.name}. It is of bool.")
        size = broadcast_sizes(self.shape, mask.shape)
        if isinstance(size, Misfit):
            raise SizeError(f"masked_select: {size.message}")
        own, wanted = plan_expand(self.layout, size), plan_expand(mask.layout, size)
        assert isinstance(own, Layout)
        assert isinstance(wanted, Layout)
        truths = read_values(TensorBase(wanted, mask.untyped_storage(), bool_))
        positions = [p for p, true in zip(own.positions(), truths, strict=True) if true]
        packed = self._storage.gather_at(positions, self.element_size())
        return self._new((len(positions),), (1,), packed)

    def fliplr(self) -> Self:
        """A copy with dim 1 in reverse. Raises SizeError for fewer than 2 dims."""
        if self.ndim < 2:
            raise SizeError(f"fliplr on size {self.shape}: it is for 2 dims or more.")
        return self.flip(1)

    def flipud(self) -> Self:
        """A copy with dim 0 in reverse. Raises SizeError for rank 0."""
        if not self.ndim:
            raise SizeError("flipud on rank 0: there is no dim to reverse.")
        return self.flip(0)

    def rot90(self, k: SupportsIndex = 1, dims: Any = (0, 1)) -> Self:
        """A copy, turned by 90 degrees k times, from the first of two dims towards the second.

        >>> sk.arange(4).view(2, 2).rot90().tolist()
        [[1, 3], [0, 2]]
        """
        turns = as_int("rot90", "k", k, plain=True) % 4
        pair = as_ints("rot90", "a dim", dims)
        if len(pair) != 2 or self.ndim < 2:
            raise SizeError(f"rot90 on size {self.shape}: it turns in 2 dims, not {len(pair)}.")
        first, second = (wrap_dim("rot90", dim, self.ndim) for dim in pair)
        if first == second:
            raise SizeError(f"rot90: dims {pair} are the same. Give two.")
        if turns == 1:
            return self.flip(second).transpose(first, second)
        if turns == 2:
            return self.flip(first, second)
        if turns:
            return self.flip(first).transpose(first, second)
        return self.clone(memory_format=contiguous_format)

    def tile(self, *args: Any, dims: Any = None) -> Self:
        """A copy, repeated so many times along the last dims: `repeat` with 1s before."""
        times = several("tile", "a count", args, dims)
        return self.repeat((*(1,) * (self.ndim - len(times)), *times))

    def bool(self) -> Self:
        """`to(bool)`."""
        return self.to(bool_)

    def byte(self) -> Self:
        """`to(uint8)`."""
        return self.to(uint8)

    def char(self) -> Self:
        """`to(int8)`."""
        return self.to(int8)

    def short(self) -> Self:
        """`to(int16)`."""
        return self.to(int16)

    def int(self) -> Self:
        """`to(int32)`."""
        return self.to(int32)

    def long(self) -> Self:
        """`to(int64)`."""
        return self.to(int64)

    def half(self) -> Self:
        """`to(float16)`."""
        return self.to(float16)

    def bfloat16(self) -> Self:
        """`to(bfloat16)`."""
        return self.to(bfloat16)

    def float(self) -> Self:
        """`to(float32)`."""
        return self.to(float32)

    def double(self) -> Self:
        """`to(float64)`."""
        return self.to(float64)

    def cfloat(self) -> Self:
        """`to(complex64)`."""
        return self.to(complex64)

    def cdouble(self) -> Self:
        """`to(complex128)`."""
        return self.to(complex128)

    def cpu(self) -> Self:
        """This very tensor: it lies in the computer's own memory."""
        return self

    def type_as(self, other: TensorBase) -> Self:
        """`to(other.dtype)`."""
        if not isinstance(other, TensorBase):
            raise ArgumentError(f"type_as: give a tensor, not a {type(other).__name__}.")
        return self.to(other.dtype)
