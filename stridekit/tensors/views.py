"""The methods that give views: another header over the same storage. None of them copies.

Each is a line over a rule in `dims`, `viewing`, `broadcasting` or `indexing`.
"""

from collections.abc import Sequence
from typing import Any, Self, SupportsIndex
from warnings import warn

from stridekit.errors import ArgumentError, ExpandError, SizeError, StridekitWarning, ViewError
from stridekit.layouts import dims as rules
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, wrap_dim
from stridekit.layouts.view_rule import Obstacle, infer_size, plan_view, view_dtype
from stridekit.layouts.whole_numbers import as_ints
from stridekit.tensors.base import TensorBase
from stridekit.tensors.dtypes import DType, as_dtype

Dims = SupportsIndex | Sequence[SupportsIndex]


class Views(TensorBase):
    """What a tensor can become without a copy. See `Tensor`."""

    __slots__ = ()

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
            layout = view_dtype(self._layout, self._dtype.itemsize, kind.itemsize)
            base = self if self._base is None else self._base
            return type(self)(layout, self._storage, kind, base)
        plan = plan_view(self._layout, sizes_of("view", args, size))
        if isinstance(plan, Obstacle):
            raise ViewError(plan.message, plan)
        return self._under(plan)

    def view_as(self, other: TensorBase) -> Self:
        """`view(other.size())`."""
        return self.view(tensor_of("view_as", other).shape)

    def unflatten(self, dim: SupportsIndex, sizes: Sequence[SupportsIndex]) -> Self:
        """One dim as several, whose sizes multiply to its own. One may be -1.

        Raises SizeError when they do not.

        >>> sk.arange(12).unflatten(0, (3, -1)).shape
        (3, 4)
        """
        if isinstance(sizes, (tuple, list, int, type(None))) and not sizes:
            raise SizeError("unflatten: no sizes are given. Give one at least.")
        parts = as_ints("unflatten", "a size", sizes)
        at = wrap_dim("unflatten", dim, self.ndim)
        if not self.ndim:
            raise SizeError("unflatten on rank 0: there is no dim to take apart.")
        parts = infer_size("unflatten", self.shape[at], parts)
        return self.view((*self.shape[:at], *parts, *self.shape[at + 1 :]))

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
                f"t() on size {self.shape}: it is for at most 2 dims. "
                "transpose(dim0, dim1) says which two to exchange."
            )
        return self._under(rules.transpose(self._layout, 0, -1))

    @property
    def T(self) -> Self:  # noqa: N802 - torch's name
        """All dims in reverse order. It is for matrices, and warns elsewhere, as in torch."""
        if self.ndim != 2:
            warn(
                f"T on size {self.shape}: it is meant for 2 dims. permute(...) says which dim goes "
                "where; mT transposes matrices in a batch.",
                StridekitWarning,
                stacklevel=2,
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
        Raises PermutationError or DimError.

        >>> sk.arange(24).view(2, 3, 4).permute(2, 0, 1).shape
        (4, 2, 3)
        """
        return self._under(rules.permute(self._layout, several("permute", "a dim", args, dims)))

    def movedim(self, source: Dims, destination: Dims) -> Self:
        """Some dims moved to other places; the others keep their order.

        >>> sk.zeros(2, 3, 4).movedim(0, -1).shape
        (3, 4, 2)
        """
        if isinstance(source, tuple | list) != isinstance(destination, tuple | list):
            raise ArgumentError("movedim: give two dims, or two tuples of dims.")
        return self._under(rules.movedim(self._layout, _dims(source), _dims(destination)))

    def moveaxis(self, source: Dims, destination: Dims) -> Self:
        """`movedim`, by NumPy's name."""
        return self.movedim(source, destination)

    def swapaxes(self, axis0: SupportsIndex, axis1: SupportsIndex) -> Self:
        """`transpose`, by NumPy's name."""
        return self.transpose(axis0, axis1)

    def swapdims(self, dim0: SupportsIndex, dim1: SupportsIndex) -> Self:
        """`transpose`, by another name."""
        return self.transpose(dim0, dim1)

    def squeeze(self, *args: Any, **named: Any) -> Self:
        """Without its dims of size 1, or without those named, if they have size 1.

        >>> sk.zeros(1, 3, 1).squeeze().shape, sk.zeros(1, 3, 1).squeeze(0).shape
        ((3,), (3, 1))
        """
        if named:
            if args or set(named) != {"dim"}:
                raise ArgumentError("squeeze: give dim once, as an int or a tuple of them.")
            args = (named["dim"],)
        if not args:
            return self._under(rules.squeeze(self._layout))
        return self._under(rules.squeeze(self._layout, _dims(args[0]) if len(args) == 1 else args))

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
        """So many indices of one dim from `start` on.

        >>> sk.arange(6).narrow(0, 2, 3).tolist()
        [2, 3, 4]
        """
        if isinstance(start, TensorBase) and (start.ndim or start.dtype.kind != "int"):
            raise SizeError("narrow: a tensor for start is a whole number, of rank 0.")
        return self._under(rules.narrow(self._layout, dim, start, length))

    def expand(self, *args: Any, size: Any = None) -> Self:
        """Dims of size 1 repeated to any size, with stride 0; -1 keeps a size; new dims at left.

        Costs nothing, however large. All the repeated elements are one: a write to one is seen
        in all. Raises ExpandError (ATen/ExpandUtils.cpp, inferExpandGeometry).

        >>> sk.arange(3).expand(10**12, 3).stride()
        (0, 1)
        """
        plan = plan_expand(self._layout, sizes_of("expand", args, size))
        if isinstance(plan, ExpandObstacle):
            raise ExpandError(plan.message, plan)
        return self._under(plan)

    def expand_as(self, other: TensorBase) -> Self:
        """`expand(other.size())`."""
        return self.expand(tensor_of("expand_as", other).shape)

    def broadcast_to(self, *args: Any, size: Any = None) -> Self:
        """`expand(size)`, by NumPy's name."""
        return self.expand(*args, size=size)

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


def sizes_of(call: str, arguments: tuple[Any, ...], named: Any = None) -> Ints:
    """The size meant by `f(2, 3)`, `f((2, 3))`, `f([2, 3])` or `f(size=(2, 3))`.

    Raises ArgumentError, WideIntError.
    """
    return several(call, "a size", arguments, named)


def several(call: str, what: str, arguments: tuple[Any, ...], named: Any = None) -> Ints:
    """The ints meant by one tuple or list, by several arguments, or by a keyword."""
    if named is not None:
        if arguments:
            raise ArgumentError(f"{call}: {what} is given twice, by place and by name. Give one.")
        return as_ints(call, what, named)
    if not arguments:
        example = "1, 0" if what == "a dim" else "2, 3"
        raise ArgumentError(f"{call}() needs {what}: {call}({example}), or {call}(()) for rank 0.")
    if len(arguments) == 1 and isinstance(arguments[0], tuple | list):
        return as_ints(call, what, arguments[0])
    return as_ints(call, what, arguments)


def _dims(dims: Dims) -> tuple[SupportsIndex, ...]:
    if isinstance(dims, tuple | list):
        return tuple(dims)
    # What is neither is one dim, or is refused as one.
    return (dims,)  # type: ignore[return-value]


def tensor_of(call: str, other: object) -> TensorBase:
    """The tensor, if it is one. Raises ArgumentError."""
    if not isinstance(other, TensorBase):
        raise ArgumentError(f"{call}: give a stridekit tensor, not a {type(other).__name__}.")
    return other
