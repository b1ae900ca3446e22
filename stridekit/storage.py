"""Storages: flat memory that any number of tensors may share.

A storage knows nothing of sizes, strides or dtypes: it counts bytes. It either owns its
memory or wraps memory that somebody else owns, through the buffer protocol; then every write
is seen on both sides.
"""

import struct
from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Literal

from stridekit.dtypes import DType
from stridekit.errors import StorageError
from stridekit.layout import Layout

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

Number = bool | int | float
# Codes that carry an element of so many bytes without looking at it. (memoryview knows no
# float16, so elements are moved as unsigned integers of the same size.)
_CARRIER: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Storage:
    """Flat memory. Sizes are in bytes.

    >>> Storage(24)
    Storage(nbytes=24)
    >>> memory = bytearray(8)
    >>> shared = Storage.wrap(memory)
    >>> memory[0] = 7
    >>> shared.bytes[0]
    7
    """

    __slots__ = ("_memory",)

    def __init__(self, nbytes: int) -> None:
        """New memory of so many bytes, all zero."""
        self._memory = memoryview(bytearray(nbytes))

    @classmethod
    def wrap(cls, exporter: "ReadableBuffer") -> "Storage":
        """The memory of an object that offers the buffer protocol: shared, not copied.

        Raises StorageError when that memory is not one contiguous run.
        """
        memory = memoryview(exporter)
        if not memory.c_contiguous:
            raise StorageError(
                "Storage.wrap: this memory is not one contiguous run, so it cannot serve as a "
                "storage. Wrap the whole of it, or a copy."
            )
        storage = cls.__new__(cls)
        storage._memory = memory.cast("B") if memory.nbytes else memoryview(bytearray())  # noqa: SLF001 - it is ours
        return storage

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return self._memory.nbytes

    @property
    def readonly(self) -> bool:
        """Whether writing is refused, because the memory's owner refuses it."""
        return self._memory.readonly

    @property
    def bytes(self) -> memoryview:
        """The memory itself, byte by byte, shared."""
        return self._memory

    def data_ptr(self) -> int:
        """The address of the first byte, or 0 without bytes, as in torch.

        Two storages share memory exactly when their address ranges meet.
        """
        return address_of(self._memory)

    def read(self, dtype: DType, position: int) -> Number:
        """The element at one position, counted in elements of the dtype.

        Raises StorageError when the storage does not reach so far.
        """
        self._check(dtype, position)
        value: Number = struct.unpack_from(dtype.code, self._memory, position * dtype.itemsize)[0]
        return value

    def write(self, dtype: DType, position: int, value: Number) -> None:
        """Set the element at one position, counted in elements of the dtype.

        Raises StorageError when the memory is read-only or does not reach so far.
        """
        self._check(dtype, position)
        if self.readonly:
            raise StorageError(
                "write: this storage wraps memory that its owner made read-only, so nothing was "
                "written. Write to a copy of it."
            )
        struct.pack_into(dtype.code, self._memory, position * dtype.itemsize, value)

    def gather(self, layout: Layout, itemsize: int) -> bytearray:
        """A copy of the layout's elements in row-major order, as bytes.

        Costs one step per run of memory, not one per element.

        >>> Storage.wrap(b"abcdef").gather(Layout((3, 2), (1, 3)), 1)
        bytearray(b'adbecf')
        """
        gathered = bytearray(layout.numel * itemsize)
        if not gathered:
            return gathered
        code = _CARRIER[itemsize]
        whole = self._memory[: self.nbytes // itemsize * itemsize].cast(code)
        out = memoryview(gathered).cast(code)
        for start, run, step, to, to_step in _runs(layout):
            if step == 0:
                value = memoryview(whole[start : start + 1].tobytes() * run).cast(code)
            else:
                value = whole[start : start + (run - 1) * step + 1 : step]
            out[to : to + (run - 1) * to_step + 1 : to_step] = value
        return gathered

    def _check(self, dtype: DType, position: int) -> None:
        if not 0 <= position < self.nbytes // dtype.itemsize:
            raise StorageError(
                f"position {position} is outside this storage of "
                f"{self.nbytes // dtype.itemsize} elements of {dtype.name}."
            )

    def __repr__(self) -> str:
        return f"Storage(nbytes={self.nbytes})"


def address_of(memory: memoryview) -> int:
    """The address of a contiguous buffer, also of a read-only one; 0 when it is empty."""
    if not memory.nbytes:
        return 0
    import ctypes

    # The fields of CPython's Py_buffer up to the one that is needed, and room for the others.
    class PyBuffer(ctypes.Structure):
        _fields_ = (("buf", ctypes.c_void_p), ("rest", ctypes.c_void_p * 15))

    view = PyBuffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(memory), ctypes.byref(view), 0)
    address = int(view.buf or 0)
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return address


def _runs(layout: Layout) -> Iterator[tuple[int, int, int, int, int]]:
    """The layout as evenly stepped runs: start, length, step, and start and step in the copy.

    Dims that continue each other are merged first; the longest dim left makes the runs.
    """
    # (size, step in storage, step in the row-major copy), the last dim first
    dims: list[tuple[int, int, int]] = []
    to_step = 1
    for n, step in zip(reversed(layout.size), reversed(layout.stride), strict=True):
        if n != 1:
            if dims and step == dims[-1][0] * dims[-1][1] and to_step == dims[-1][0] * dims[-1][2]:
                dims[-1] = (dims[-1][0] * n, dims[-1][1], dims[-1][2])
            else:
                dims.append((n, step, to_step))
        to_step *= n
    if not dims:
        yield layout.storage_offset, 1, 1, 0, 1
        return
    longest = max(range(len(dims)), key=lambda dim: dims[dim][0])
    run, step, to_step = dims.pop(longest)
    for flat in range(prod(n for n, _, _ in dims)):
        start, to = layout.storage_offset, 0
        for n, outer_step, outer_to in dims:
            flat, i = divmod(flat, n)
            start += i * outer_step
            to += i * outer_to
        yield start, run, step, to, to_step
