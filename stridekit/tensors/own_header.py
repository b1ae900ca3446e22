"""The methods that change a tensor's own header, in place.

Headers are frozen; what changes is which one the tensor has, and for `resize_` and `set_` over
which storage, or how much of it.
"""

from typing import Any, Self, SupportsIndex

from stridekit.errors import ArgumentError, FormatError, SizeError
from stridekit.layouts import dims as rules
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.memory_formats import MemoryFormat, preserve_format, stride_of, suggested
from stridekit.layouts.whole_numbers import as_int, as_ints
from stridekit.tensors.base import TensorBase, as_format, checked
from stridekit.tensors.dtypes import DType
from stridekit.tensors.storage import Storage
from stridekit.tensors.views import sizes_of
from stridekit.tensors.writes import Writes

# What `set_` stands for without a source; None is none, as in torch.
_NO_SOURCE = Storage(0)


class OwnHeader(Writes):
    """What a tensor can make of its own header. See `Tensor`."""

    __slots__ = ()

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
        new_size = sizes_of("resize_", args, size)
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

    def resize_as_(
        self, the_template: TensorBase, *, memory_format: MemoryFormat | None = None
    ) -> Self:
        """`resize_(the_template.size())`, in place; preserve_format takes its format."""
        if not isinstance(the_template, TensorBase):
            raise ArgumentError(f"resize_as_: give a tensor, not a {type(the_template).__name__}.")
        if memory_format is preserve_format:
            memory_format = suggested(the_template.layout)
        return self.resize_(the_template.shape, memory_format=memory_format)

    def set_(
        self,
        source: "TensorBase | Storage" = _NO_SOURCE,
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
        if isinstance(source, TensorBase):
            if source.dtype != self._dtype:
                raise SizeError(
                    f"set_: this tensor has dtype {self._dtype.name}, and the source has "
                    f"{source.dtype.name}. Convert one of them: to(dtype)."
                )
            storage = source.untyped_storage()
            layout = source.layout
            if size is not None:
                layout = self._given(size, stride, storage_offset)
        elif source is _NO_SOURCE:
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

    def as_strided_(
        self, size: Any, stride: Any, storage_offset: SupportsIndex | None = None
    ) -> Self:
        """`as_strided`, done to this tensor's own header."""
        return self._become(rules.as_strided(self._layout, size, stride, storage_offset))

    def transpose_(self, dim0: SupportsIndex, dim1: SupportsIndex) -> Self:
        """`transpose`, done to this tensor's own header."""
        return self._become(rules.transpose(self._layout, dim0, dim1))

    def swapaxes_(self, axis0: SupportsIndex, axis1: SupportsIndex) -> Self:
        """`transpose_`, in place, by NumPy's name."""
        return self.transpose_(axis0, axis1)

    def swapdims_(self, dim0: SupportsIndex, dim1: SupportsIndex) -> Self:
        """`transpose_`, in place, by another name."""
        return self.transpose_(dim0, dim1)

    def t_(self) -> Self:
        """`t`, done to this tensor's own header."""
        return self._become(self.t().layout)

    def squeeze_(self, *dim: Any, **named: Any) -> Self:
        """`squeeze`, done to this tensor's own header."""
        return self._become(self.squeeze(*dim, **named).layout)

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
        sizes: Ints = as_ints("set_", "a size", size)
        own = self.stride() if sizes == self.shape else None
        given = as_ints("set_", "a stride", stride) if stride is not None else None
        layout = Layout.of(sizes, given or own, as_int("set_", "storage_offset", storage_offset))
        if layout.storage_offset < 0 or min(layout.stride, default=0) < 0:
            raise SizeError(
                f"set_: stride {layout.stride} and storage_offset {layout.storage_offset} must not "
                "be negative."
            )
        return layout
