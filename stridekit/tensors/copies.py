"""The methods that copy, or may copy: their first line says which.

A copy has a storage of its own. What may copy gives a view, or the tensor itself, whenever
that is possible, just as torch does.
"""

from typing import Any, Self, SupportsIndex

from stridekit.errors import ArgumentError, FormatError, SizeError
from stridekit.layouts import dims as rules
from stridekit.layouts.indexing import index_layout, is_basic, pick
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell, wrap_dim
from stridekit.layouts.memory_formats import (
    MemoryFormat,
    contiguous_format,
    follows,
    preserve_format,
    preserved_stride,
    stride_of,
    suggested,
)
from stridekit.layouts.view_rule import Obstacle, infer_size, plan_view
from stridekit.tensors.base import TensorBase, as_format, checked
from stridekit.tensors.dtypes import BY_NAME, DType, as_dtype
from stridekit.tensors.inputs import as_key, is_device, require_cpu, warn_imaginary
from stridekit.tensors.splitting import Pieces
from stridekit.tensors.storage import Storage
from stridekit.tensors.views import several, sizes_of


class Copies(Pieces):
    """What a tensor can become, by a copy if need be. See `Tensor`."""

    __slots__ = ()

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
        items = as_key(key)
        if is_basic(items):
            return self._under(index_layout(self._layout, items))
        picked = pick(self._layout, items)
        values = self._storage.gather_at(picked.positions, self.element_size())
        return self._new(picked.size, picked.stride, values)

    def contiguous(self, memory_format: MemoryFormat = contiguous_format) -> Self:
        """This very tensor if it is contiguous in that format; otherwise a copy that is.

        Law: the result is contiguous and has equal values. Raises FormatError when the rank
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
            raise FormatError(
                "contiguous(memory_format=preserve_format): that asks for a copy and for the old "
                "order at once. clone() keeps the order."
            )
        return self._copied(stride_of("contiguous", self.shape, memory_format))

    def clone(self, memory_format: MemoryFormat | None = preserve_format) -> Self:
        """A copy, always. A dense tensor keeps its strides, another one gets packed ones.

        Law: never shares. Raises FormatError when the rank does not suit the format.

        >>> sk.zeros(2, 3).t().clone().stride(), sk.zeros(4, 3)[::2].clone().stride()
        ((1, 3), (3, 1))
        """
        wanted = preserve_format if memory_format is None else memory_format
        return self._copied(self._stride_for("clone", wanted))

    def to(
        self,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: bool = False,
        memory_format: MemoryFormat = preserve_format,
        copy: bool = False,
    ) -> Self:
        """This very tensor if it is so already, in dtype and suggested format; else a copy.

        The suggested format is a looser rule than contiguity: `to(memory_format=
        contiguous_format)` leaves a transposed matrix as it is. As in torch, what comes first is
        a dtype, the device "cpu" (and then a dtype), or a tensor whose dtype is meant; then
        `non_blocking` and `copy`. Raises FormatError, DTypeError for another device.

        >>> half = sk.arange(3).to(sk.float16)
        >>> half.tolist(), half.to(sk.float16) is half
        ([0.0, 1.0, 2.0], True)
        """
        asked, copy = _target("to", args, dtype, device, copy=copy, non_blocking=non_blocking)
        kind = self._dtype if asked is None else asked
        as_format("to", memory_format)
        is_so = memory_format in (preserve_format, suggested(self._layout))
        if kind == self._dtype and is_so and not copy:
            return self
        stride = self._stride_for("to", memory_format)
        return self._copied(stride, kind)

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
        if isinstance(plan, Obstacle):
            values = self._storage.gather(self._layout, self.element_size())
            return self._new(new_size, contiguous_stride(new_size), values)
        return self._under(plan)

    def flatten(self, start_dim: SupportsIndex = 0, end_dim: SupportsIndex = -1) -> Self:
        """Some dims as one: this tensor itself, a view, or a copy, as `reshape` can.

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
        joined = 1
        for n in self.shape[first : last + 1]:
            joined *= n
        return self.reshape((*self.shape[:first], joined, *self.shape[last + 1 :]))

    def ravel(self) -> Self:
        """All elements in a row: a view if the tensor is contiguous, otherwise a copy."""
        return self.contiguous().view(-1)

    def repeat(self, *args: Any, repeats: Any = None) -> Self:
        """A copy, tiled so many times along each dim; NumPy calls this tile.

        New dims may come at the left. Raises SizeError for negative counts or too few.

        >>> sk.arange(2).repeat(2, 2).tolist()
        [[0, 1, 0, 1], [0, 1, 0, 1]]
        """
        times = sizes_of("repeat", args, repeats)
        if len(times) < self.ndim or min(times, default=0) < 0:
            raise SizeError(
                f"repeat({spell(times)}) on size {self.shape}: give one count for each dim, and "
                "none below 0."
            )
        size = (*(1,) * (len(times) - self.ndim), *self.shape)
        stride = (*(0,) * (len(times) - self.ndim), *self.stride())
        tiled = Layout(
            tuple(n for pair in zip(times, size, strict=True) for n in pair),
            tuple(step for own in stride for step in (0, own)),
            self.storage_offset(),
        )
        result = tuple(count * n for count, n in zip(times, size, strict=True))
        checked(Layout(result, contiguous_stride(result)), None, self._dtype)
        values = self._storage.gather(tiled, self.element_size())
        return self._new(result, contiguous_stride(result), values)

    def flip(self, *args: Any, dims: Any = None) -> Self:
        """A copy with the indices of some dims in reverse: torch has no negative strides.

        Raises DimError, or PermutationError for a dim that is named twice.

        >>> sk.arange(3).flip(0).tolist()
        [2, 1, 0]
        """
        turned = rules.distinct("flip", self._layout, several("flip", "a dim", args, dims))
        stride, offset = list(self.stride()), self.storage_offset()
        for dim in turned if self.ndim and self.numel() else ():
            offset += (self.shape[dim] - 1) * stride[dim]
            stride[dim] = -stride[dim]
        backwards = Layout(self.shape, tuple(stride), offset)
        values = self._storage.gather(backwards, self.element_size())
        return self._new(self.shape, preserved_stride(self.shape, self.stride()), values)

    def _stride_for(self, call: str, memory_format: MemoryFormat) -> Ints:
        if as_format(call, memory_format) is preserve_format:
            return preserved_stride(self.shape, self.stride())
        return stride_of(call, self.shape, memory_format)

    def _copied(self, stride: Ints, dtype: DType | None = None) -> Self:
        values = self._storage.gather(self._layout, self.element_size())
        if dtype is not None and dtype != self._dtype:
            warn_imaginary("to", self._dtype, dtype)
            values = dtype.pack(map(dtype.cast, self._dtype.unpack(values)))
        return self._new(self.shape, stride, values, dtype)

    def _new(self, size: Ints, stride: Ints, values: bytearray, dtype: DType | None = None) -> Self:
        """A tensor on a storage of its own, from elements in row-major order."""
        kind = self._dtype if dtype is None else dtype
        if stride == contiguous_stride(size):
            storage = Storage.wrap(values, resizable=True)
        else:
            storage = Storage(len(values))
            storage.scatter(Layout(size, stride), kind.itemsize, values)
        return type(self)(Layout(size, stride), storage, kind)


def _target(
    call: str, args: tuple[Any, ...], dtype: Any, device: Any, *, copy: bool, non_blocking: bool
) -> tuple[DType | None, bool]:
    """The dtype and the copy flag that the arguments of `to` mean, as torch reads them."""
    rest = list(args)
    if rest and isinstance(rest[0], bool):
        raise ArgumentError(f"{call}({rest[0]}): give a dtype, a tensor or a device first.")
    if rest and _is_device(rest[0]):
        device = rest.pop(0)
    elif len(rest) > 1 and rest[0] is None and not isinstance(rest[1], bool):
        rest.pop(0)
    elif rest and isinstance(rest[0], TensorBase):
        dtype = rest.pop(0).dtype
    require_cpu(call, device)
    if rest and not isinstance(rest[0], bool):
        first = rest.pop(0)
        dtype = first if first is not None else dtype
    if len(rest) > 2 or not all(isinstance(flag, bool) for flag in (*rest, copy, non_blocking)):
        raise ArgumentError(
            f"{call}: give a dtype, a tensor or a device, then non_blocking and copy as True or "
            "False."
        )
    return None if dtype is None else as_dtype(dtype), copy or rest[1:] == [True]


def _is_device(value: Any) -> bool:
    if isinstance(value, str):
        return value not in BY_NAME
    return type(value) is int or is_device(value)
