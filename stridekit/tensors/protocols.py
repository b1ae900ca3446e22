"""How other code gets at a tensor: as a Python number, as an array, as a buffer, as a copy.

What shares memory says so by its protocol: `__array_interface__`, `__dlpack__` and the buffer
protocol never copy. A tensor whose memory they cannot describe refuses with the reason.
"""

import sys
from collections.abc import Iterator
from typing import Any, Self

from stridekit.errors import (
    ArgumentError,
    BufferExportError,
    ConversionError,
    MagnitudeError,
    SizeError,
    ValueRangeError,
    needing,
)
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.arithmetic import Comparisons
from stridekit.tensors.dtypes import BY_NAME, Number
from stridekit.tensors.inputs import read_values
from stridekit.tensors.storage import Storage

# The letters by which NumPy's array interface names kinds.
_LETTERS = {"bool": "b", "float": "f", "complex": "c"}


class Protocols(Comparisons):
    """What Python, NumPy and torch ask of a tensor. See `Tensor`."""

    __slots__ = ()

    # Before an array's own operators come ours, which say what is offered.
    __array_priority__ = 1000

    def numpy(self, *, force: bool = False) -> Any:
        """A NumPy array on the same memory. Writes are seen on both sides.

        There is nothing to force here: every tensor lies on the cpu, and needs no grad.
        """
        with needing("numpy()", "numpy"):
            from stridekit.tensors.interop.numpy import to_numpy

        if not isinstance(force, bool):
            raise ArgumentError("numpy: force is True or False.")
        return to_numpy(self.layout, self._storage, self.dtype)

    def torch(self) -> Any:
        """A torch tensor on the same memory. Writes are seen on both sides."""
        with needing("torch()", "torch"):
            from stridekit.tensors.interop.torch import to_torch

        return to_torch(self.layout, self._storage, self.dtype)

    def __int__(self) -> int:
        """The one value, cut to a whole number. Raises ConversionError when there are more."""
        number: int = self._as_python("int", int)
        return number

    def __float__(self) -> float:
        """The one value. Raises ConversionError when there is not just one."""
        number: float = self._as_python("float", float)
        return number

    def __complex__(self) -> complex:
        """The one value. Raises ConversionError when there is not just one."""
        return complex(self._one("complex"))

    def __index__(self) -> int:
        """The one whole number, which may then stand for a size, a dim or an index.

        Raises ArgumentError for several values, or for one of another kind.
        """
        if self.numel() != 1 or self.dtype.kind not in ("bool", "int"):
            raise ArgumentError(
                f"a tensor of size {self.shape} and dtype {self.dtype.name} is no index: one whole "
                "number is."
            )
        return int(read_values(self)[0])  # type: ignore[arg-type]

    def __bool__(self) -> bool:
        """The truth of the one value. Raises SizeError when there is not just one."""
        if self.numel() != 1:
            raise SizeError(
                f"the truth of a tensor of size {self.shape}: which of its {self.numel()} elements "
                "is meant? tolist() gives them all."
            )
        return bool(read_values(self)[0])

    def __format__(self, spec: str) -> str:
        """A tensor of rank 0 as its number is formatted; others as `str`, without a format.

        >>> f"{sk.tensor(2.5):.2f}"
        '2.50'
        """
        if not isinstance(spec, str):
            raise ArgumentError(f"format: the format is a text, not a {type(spec).__name__}.")
        if not spec:
            return str(self)
        if self.ndim:
            raise ArgumentError(
                f"format {spec!r}: it is for one number, and this tensor has size {self.shape}. "
                "Format t.tolist()'s numbers one by one."
            )
        try:
            return format(read_values(self)[0], spec)
        except ValueError as error:
            raise ConversionError(f"format {spec!r} of a {self.dtype.name}: {error}.") from None

    def __len__(self) -> int:
        """The size of dim 0. Raises ArgumentError for rank 0, as torch does."""
        if not self.ndim:
            raise ArgumentError("len() of a tensor of rank 0: it has no dim to count along.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        """The views `t[0]`, `t[1]`, and so on."""
        if not self.ndim:
            raise ArgumentError("iteration over a tensor of rank 0: it has no dim to go along.")
        return (self[i] for i in range(self.shape[0]))

    def __reversed__(self) -> Self:
        """A copy with dim 0 in reverse, as torch has it."""
        return self.flip(0) if self.ndim else self

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The header as NumPy reads it, in bytes: `numpy.asarray` makes an array on this memory.

        Raises AttributeError for bfloat16, which NumPy lacks; `__array__` then says so.
        """
        if self.dtype.name == "bfloat16":
            raise AttributeError("NumPy has no bfloat16. Convert first: to(float32).")
        itemsize = self.element_size()
        kind = self.dtype.kind
        letter = ("u" if self.dtype.name.startswith("u") else "i") if kind == "int" else None
        order = "|" if itemsize == 1 else "<" if sys.byteorder == "little" else ">"
        memory = self.untyped_storage().share()
        return {
            "version": 3,
            "shape": self.shape,
            "strides": tuple(step * itemsize for step in self.stride()),
            "typestr": f"{order}{letter or _LETTERS[kind]}{itemsize}",
            "data": memory,
            "offset": self.storage_offset() * itemsize,
        }

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        """A NumPy array, on the same memory unless a dtype or `copy` makes a copy.

        Raises InteropError for bfloat16, which NumPy lacks.
        """
        array = self.numpy()
        if dtype is None or array.dtype == dtype:
            return array.copy() if copy else array
        if copy is False:
            raise ConversionError(
                f"numpy.asarray(dtype={dtype}, copy=False): this tensor is of {self.dtype.name}, "
                "so another dtype needs a copy."
            )
        return array.astype(dtype)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule on the same memory, as torch or NumPy make it; on its own with `copy`.

        Raises BufferExportError for another device than the cpu, for a stream, which the cpu has
        not, and for read-only memory where the version asked for cannot say that it is.
        """
        if stream not in (None, -1):
            raise BufferExportError(
                f"__dlpack__(stream={stream}): the cpu has no streams. Leave it out."
            )
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferExportError(
                f"__dlpack__(dl_device={dl_device}): this memory is the computer's own, (1, 0)."
            )
        read_only = self.untyped_storage().readonly
        if read_only and not copy and (max_version is None or max_version < (1, 0)):
            raise BufferExportError(
                "__dlpack__: this memory is read-only, which DLPack says from version 1.0 on. "
                "clone() has memory of its own."
            )
        exporter = self.numpy() if read_only else self.torch()
        return exporter.__dlpack__(max_version=max_version, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The computer's own memory: kDLCPU, device 0."""
        return (1, 0)

    def memoryview(self) -> Any:
        """This tensor's elements as a memoryview on the same memory, with its size and strides.

        While somebody holds it, the storage cannot grow. Raises BufferExportError for what a
        memoryview cannot say: bfloat16, complex numbers, and strides that need NumPy where it is
        not loaded. Of float16 elements Python's own memoryview gives bytes alone; NumPy reads them.

        >>> sk.arange(6).view(2, 3).memoryview().tolist()
        [[0, 1, 2], [3, 4, 5]]
        """
        dtype = self.dtype
        if dtype.name == "bfloat16" or dtype.kind == "complex":
            raise BufferExportError(
                f"memoryview: the buffer protocol has no {dtype.name}. View it as another dtype: "
                "view(dtype)."
            )
        # Python's own memoryviews have no size 0 among several dims.
        if self.is_contiguous() and (self.numel() or self.ndim == 1) and dtype.name != "float16":
            start = self.storage_offset() * dtype.itemsize
            nbytes = self.numel() * dtype.itemsize
            run: Any = self.untyped_storage().memory[start : start + nbytes]
            return run.cast(dtype.code, list(self.shape)) if self.numel() else run.cast(dtype.code)
        try:
            return memoryview(self.numpy())
        except ModuleNotFoundError:
            raise BufferExportError(
                "memoryview: what is no single run of memory needs NumPy, which is not installed. "
                "contiguous() makes one run."
            ) from None

    def __buffer__(self, flags: int, /) -> Any:
        # Python 3.12 and newer ask this way.
        return self.memoryview()

    def __copy__(self) -> Self:
        """Another tensor with the same header on the same storage."""
        return type(self)(self.layout, self.untyped_storage(), self.dtype, self.base)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A tensor with the same header on a copy of the storage; those copied along share it."""
        found = memo.get(id(self))
        if found is None:
            storage = self.untyped_storage()
            copied = memo.get(id(storage))
            if copied is None:
                copied = memo[id(storage)] = storage.copied()
            found = memo[id(self)] = type(self)(self.layout, copied, self.dtype)
        result: Self = found
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        """The header, and the storage, which tensors that are pickled along share."""
        layout = self.layout
        header = (layout.size, layout.stride, layout.storage_offset)
        return _restored, (type(self), header, self.untyped_storage(), self.dtype.name)

    def _one(self, kind: str) -> Number:
        if self.numel() != 1:
            raise ConversionError(
                f"{kind}() of a tensor of size {self.shape}: it is for one element, and there are "
                f"{self.numel()}. tolist() gives them all."
            )
        return read_values(self)[0]

    def _as_python(self, name: str, convert: type) -> Any:
        value = self._one(name)
        if isinstance(value, complex):
            if value.imag:
                raise ValueRangeError(
                    f"{name}({value}): a {name} has no imaginary part. complex() takes it."
                )
            value = value.real
        try:
            return convert(value)
        except ValueError:
            raise ConversionError(f"{name}({value}): that is no whole number.") from None
        except OverflowError:
            raise MagnitudeError(f"{name}({value}): no whole number is so large.") from None


def _restored(kind: Any, header: tuple[Ints, Ints, int], storage: Storage, dtype: str) -> Any:
    return kind(Layout(*header), storage, BY_NAME[dtype])
