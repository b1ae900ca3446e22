"""Storages: flat memory that any number of tensors may share, and how elements are moved in it.

A storage has no size, stride or dtype of its own: it counts bytes. It either owns its memory or
wraps memory that somebody else owns, through the buffer protocol; then every write is seen on both
sides. Elements are moved in runs: a layout as evenly stepped pieces of memory.
"""

from collections.abc import Iterable, Iterator
from math import prod
from struct import calcsize
from typing import TYPE_CHECKING, Any, Literal

from stridekit.errors import ArgumentError, StorageError
from stridekit.layouts.layout import Layout, count
from stridekit.layouts.whole_numbers import a_type, as_int
from stridekit.tensors.dtypes import DType, Number

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# The code that carries an element of each size. (memoryview knows no float16, so elements are moved
# as unsigned integers.)
_CARRIER: dict[int, Literal["B", "H", "I", "Q"]] = {1: "B", 2: "H", 4: "I", 8: "Q"}


def in_units(layout: Layout, parts: int) -> Layout:
    """The layout in smaller units: each element is `parts` of them, side by side."""
    dims = [(n, step * parts) for n, step in layout.dims]
    return Layout.over([*dims, (parts, 1)], layout.storage_offset * parts)


def carried(layout: Layout, itemsize: int) -> tuple[Layout, Literal["B", "H", "I", "Q"]]:
    """The layout in units that a memoryview can move: 16 bytes are two units of 8."""
    code = _CARRIER.get(itemsize)
    return (layout, code) if code else (in_units(layout, itemsize // 8), "Q")


def stepped(start: int, count: int, step: int) -> slice:
    """`count` places from `start` on, as a slice; a backward one that ends at 0 has no stop."""
    stop = start + (count - 1) * step + (1 if step > 0 else -1)
    return slice(start, stop if stop >= 0 else None, step)


def runs_of(layout: Layout) -> Iterator[tuple[int, int, int, int, int]]:
    """The layout as evenly stepped runs: start, length, step, and start and step in the copy.

    Dims that continue each other are merged first; the longest dim left makes the runs.
    """
    # (size, step in storage, step in the row-major copy), the last dim first
    dims: list[tuple[int, int, int]] = []
    to_step = 1
    for n, step in reversed(layout.dims):
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


# Storages.


class Storage:
    """Flat memory. Sizes are in bytes.

    >>> Storage(24)
    Storage(nbytes=24)
    >>> memory = bytearray(8)
    >>> shared = Storage.wrap(memory)
    >>> memory[0] = 7
    >>> shared.memory[0]
    7
    """

    __slots__ = ("_memory", "_resizable", "_written")

    def __init__(self, nbytes: int) -> None:
        """New memory, all zero. Raises StorageError when there is not that much."""
        nbytes = as_int("Storage", "a number of bytes", nbytes)
        if nbytes < 0:
            raise StorageError(f"Storage({nbytes}): it counts bytes, so it is not negative.")
        self._memory = memoryview(allocated(nbytes))
        self._resizable = True
        # One flag per byte, 1 once it is written, where there are bytes that nobody has written.
        self._written: bytearray | None = None

    @classmethod
    def wrap(cls, exporter: "ReadableBuffer", *, resizable: bool = False) -> "Storage":
        """The memory of an object that offers the buffer protocol: shared, not copied.

        It cannot grow, unless it is a bytearray's, nobody else holds on to it, and `resizable` says
        so. Raises StorageError when that memory is not one contiguous run, ArgumentError for what
        offers none.
        """
        try:
            memory = memoryview(exporter)
        except (TypeError, ValueError, BufferError):
            raise ArgumentError(
                f"Storage.wrap: {a_type(exporter)} offers no memory as a buffer. Give a bytearray, "
                "bytes, an array, or the like."
            ) from None
        if not memory.c_contiguous:
            raise StorageError(
                "Storage.wrap: this memory is not one contiguous run, so it cannot serve as a "
                "storage. Wrap the whole of it, or a copy."
            )
        storage = cls(0)
        storage._memory = memory.cast("B") if memory.nbytes else memoryview(bytearray())
        # Nothing else can be grown.
        storage._resizable = resizable and isinstance(memory.obj, bytearray)
        return storage

    def nbytes(self) -> int:
        """The size in bytes."""
        return self._memory.nbytes

    @property
    def readonly(self) -> bool:
        """Whether writing is refused, because the memory's owner refuses it."""
        return self._memory.readonly

    @property
    def memory(self) -> memoryview:
        """The memory itself, byte by byte. While somebody holds it, the storage cannot grow.

        >>> storage = Storage(2)
        >>> with storage.memory as held:
        ...     held[0] = 1
        >>> storage.grow(4)
        >>> storage
        Storage(nbytes=4)
        """
        return memoryview(self._memory)

    def share(self) -> memoryview:
        """The memory, for somebody outside to hold on to: from now on it cannot grow.

        Growing would move it, and the other side would look at memory that is gone.
        """
        self._resizable = False
        self._written = None
        return self._memory

    @property
    def resizable(self) -> bool:
        """Whether the storage may grow: its memory is its own, and nobody outside holds it."""
        return self._resizable

    def data_ptr(self) -> int:
        """The address of the first byte, or 0 without bytes, as in torch.

        Two storages share memory exactly when their address ranges meet.
        """
        if not self.nbytes():
            return 0
        import ctypes

        # CPython's Py_buffer, whose first field is the address. It reads read-only memory, too.
        view = (ctypes.c_void_p * 16)()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(self._memory), view, 0)
        address = int(view[0] or 0)
        ctypes.pythonapi.PyBuffer_Release(view)
        return address

    def grow(self, nbytes: int) -> None:
        """More memory; what is new is uninitialised until it is written. Never shrinks.

        Every tensor on this storage sees the grown one. Raises StorageError when the memory is
        shared with somebody outside, or when there is not that much.
        """
        if nbytes <= self.nbytes():
            return
        if not self._resizable:
            raise StorageError(
                f"this storage of {count(self.nbytes(), 'byte')} cannot grow to {nbytes:,}, "
                "because its memory is shared outside of stridekit. Copy first: clone()."
            )
        grown = allocated(nbytes)
        grown[: self.nbytes()] = self._memory
        written = allocated(nbytes)
        written[: self.nbytes()] = self._written or b"\1" * self.nbytes()
        owner: Any = self._memory.obj
        self._memory.release()
        try:
            # Which a bytearray refuses while somebody holds a view of it.
            owner.clear()
        except BufferError:
            self._memory = memoryview(owner)
            raise StorageError(
                f"this storage of {count(len(owner), 'byte')} cannot grow to {nbytes:,}, because "
                "somebody holds its `memory` and would look at memory that is gone. Release it "
                "first: memory.release()."
            ) from None
        self._written = written
        self._memory = memoryview(grown)

    def __reduce__(self) -> tuple[object, ...]:
        return Storage._restored, (bytes(self._memory), self._written)

    @classmethod
    def _restored(cls, memory: bytes, written: bytearray | None) -> "Storage":
        storage = cls.wrap(bytearray(memory), resizable=True)
        storage._written = written  # noqa: SLF001
        return storage

    def is_written(self, start: int, nbytes: int) -> bool:
        """Whether all bytes of a piece hold something: zeros, or what was written."""
        return self._written is None or self._written.find(0, start, start + nbytes) < 0

    def values(self, layout: Layout, dtype: DType) -> list[Number]:
        """The layout's elements as numbers, in row-major order."""
        return dtype.unpack(self.gather(layout, dtype.itemsize))

    def gather(self, layout: Layout, itemsize: int) -> bytearray:
        """A copy of the layout's elements in row-major order, as bytes.

        Costs one step per run of memory, not one per element.

        >>> Storage.wrap(b"abcdef").gather(Layout((3, 2), (1, 3)), 1)
        bytearray(b'adbecf')
        """
        gathered = allocated(layout.numel * itemsize)
        if gathered:
            layout, code = carried(layout, itemsize)
            source, target = self._elements(code), memoryview(gathered).cast(code)
            for start, run, step, to, to_step in runs_of(layout):
                if step == 0:
                    values = memoryview(source[start : start + 1].tobytes() * run).cast(code)
                else:
                    values = source[stepped(start, run, step)]
                target[stepped(to, run, to_step)] = values
        return gathered

    def scatter(self, layout: Layout, itemsize: int, values: "bytes | bytearray") -> None:
        """Write elements, given in row-major order as bytes, to where the layout has them.

        Where two indices share a position, which of the two stays is open.
        Raises StorageError when the memory is read-only.
        """
        self.require_writable()
        if not values:
            return
        if self._written is not None:
            flags = Storage.wrap(self._written)
            flags.scatter(in_units(layout, itemsize), 1, b"\1" * len(values))
        layout, code = carried(layout, itemsize)
        target, source = self._elements(code), memoryview(values).cast(code)
        for start, run, step, of, of_step in runs_of(layout):
            part = source[stepped(of, run, of_step)]
            if step == 0:
                target[start : start + 1] = part[-1:]
            else:
                target[stepped(start, run, step)] = part

    def gather_at(self, positions: Iterable[int], itemsize: int) -> bytearray:
        """A copy of the elements at some positions, one after another."""
        memory = self._memory
        return bytearray().join(memory[p * itemsize : (p + 1) * itemsize] for p in positions)

    def scatter_at(
        self, positions: Iterable[int], itemsize: int, values: "bytes | bytearray"
    ) -> None:
        """Write elements to some positions, one after another.

        Raises StorageError when the memory is read-only.
        """
        self.require_writable()
        for i, position in enumerate(positions):
            span = slice(position * itemsize, (position + 1) * itemsize)
            self._memory[span] = values[i * itemsize : (i + 1) * itemsize]
            if self._written is not None:
                self._written[span] = b"\1" * itemsize

    def require_writable(self) -> None:
        """Raise StorageError if the memory's owner made it read-only."""
        if self.readonly:
            raise StorageError(
                "this storage wraps memory that its owner made read-only, so nothing was "
                "written. Write to a copy of it: clone()."
            )

    def _elements(self, code: Literal["B", "H", "I", "Q"]) -> "memoryview[int]":
        size = calcsize(f"={code}")
        return self._memory[: self.nbytes() // size * size].cast(code)

    def __repr__(self) -> str:
        return f"Storage(nbytes={self.nbytes()})"


def allocated(nbytes: int) -> bytearray:
    """New memory, all zero. Raises StorageError when there is not that much."""
    return tiled(bytearray(1), nbytes)


def tiled(element: bytearray, times: int) -> bytearray:
    """Some bytes, repeated. Raises StorageError when there is not that much memory."""
    nbytes = len(element) * times
    try:
        return element * times if any(element) else bytearray(nbytes)
    except (MemoryError, OverflowError):
        raise StorageError(
            f"{nbytes} bytes are more memory than this computer gives. A view, such as expand "
            "makes, needs none."
        ) from None
