"""What others ask of a tensor: Python for numbers and copies, NumPy and torch for the same memory.

By `__array_interface__` and `__dlpack__` they get the same memory. A tensor whose
memory a protocol cannot describe refuses with the reason. So does each operator that stridekit
leaves to torch.
"""

import sys
from collections.abc import Iterator
from typing import Any, NoReturn, Self, TypeVar

from stridekit.errors import (
    ArgumentError,
    ConversionError,
    InteropError,
    MagnitudeError,
    MissingError,
    NotOfferedError,
    SizeError,
    ValueRangeError,
    needing,
    quoted,
)
from stridekit.layouts.whole_numbers import article
from stridekit.tensors.header import TensorHeader
from stridekit.tensors.inputs import read_values, require_truth

Numeric = TypeVar("Numeric", int, float, complex)
# The letters by which NumPy's array interface names kinds.
_LETTERS = {"bool": "b", "float": "f", "complex": "c"}


class TensorProtocols(TensorHeader):
    """What Python, NumPy and torch ask of a tensor. See `Tensor`."""

    __slots__ = ()

    # Before an array's own operators come ours, which say what is offered.
    __array_priority__ = 1000

    # The same memory, in other libraries.

    def numpy(self, *, force: bool = False) -> Any:
        """A NumPy array on the same memory. Writes are seen on both sides.

        There is nothing to force here: every tensor lies on the cpu, and needs no grad.
        """
        with needing("numpy()", "numpy"):
            from stridekit.tensors.interop.numpy import to_numpy

        require_truth("numpy", "force", force)
        return to_numpy(self)

    def torch(self) -> Any:
        """A torch tensor on the same memory. Writes are seen on both sides."""
        with needing("torch()", "torch"):
            from stridekit.tensors.interop.torch import to_torch

        return to_torch(self._layout, self._storage, self._dtype)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The header in bytes, for whoever reads NumPy's array interface: on this memory.

        Raises InteropError for bfloat16, which NumPy lacks.
        """
        if self._dtype.name == "bfloat16":
            raise InteropError("numpy(): NumPy has no bfloat16. Convert first: to(float32).")
        itemsize = self.element_size()
        letter = _LETTERS.get(self._dtype.kind) or ("u" if self._dtype.name[0] == "u" else "i")
        order = "|" if itemsize == 1 else "<" if sys.byteorder == "little" else ">"
        return {
            "version": 3,
            "shape": self.shape,
            "strides": tuple(step * itemsize for step in self.stride()),
            "typestr": f"{order}{letter}{itemsize}",
            "data": self._storage.share(),
            # Without elements it may be past 64 bits in bytes.
            "offset": self.storage_offset() * itemsize if self.numel() else 0,
        }

    def __dlpack__(self, **options: Any) -> Any:
        """A DLPack capsule on the same memory, as torch makes it; NumPy, where that is read-only.

        What may be asked for, they say: a stream, a version, a device or a copy.
        """
        exporter = self.numpy() if self._storage.readonly else self.torch()
        return exporter.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The computer's own memory: kDLCPU, device 0."""
        return (1, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        """The header and the storage, which tensors that are copied or pickled together share.

        So `copy.copy` gives one more header on the same storage, `copy.deepcopy` and `pickle` one
        on a copy of it.
        """
        return type(self), (self._layout, self._storage, self._dtype)

    # As a row of views, and as one number.

    def __len__(self) -> int:
        """The size of dim 0. Raises ArgumentError for rank 0, as torch does."""
        if not self.ndim:
            raise ArgumentError("len() of a tensor of rank 0: it has no dim to count along.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        """The views `t[0]`, `t[1]`, and so on."""
        if not self.ndim:
            raise ArgumentError("iteration over a tensor of rank 0: it has no dim to go along.")
        return (self.select(0, i) for i in range(self.shape[0]))

    def __bool__(self) -> bool:
        """The truth of the one value. Raises SizeError when there is not just one."""
        if self.numel() != 1:
            raise SizeError(
                f"the truth of a tensor of size {self.shape}: which of its {self.numel()} elements "
                "is meant? tolist() gives them all."
            )
        return bool(read_values(self)[0])

    def __index__(self) -> int:
        """The one whole number, which may then stand for a size, a dim or an index.

        Raises ArgumentError for several values, or for one of another kind.
        """
        if self.numel() != 1 or self._dtype.kind not in ("bool", "int"):
            raise ArgumentError(
                f"a tensor of size {self.shape} and dtype {self._dtype.name} is not an index: one "
                "whole number is."
            )
        return int(read_values(self)[0])  # type: ignore[arg-type]

    def __int__(self) -> int:
        """The one value, cut to a whole number. Raises ConversionError when there are more."""
        return self._number(int)

    def __float__(self) -> float:
        """The one value. Raises ConversionError when there is not just one."""
        return self._number(float)

    def __complex__(self) -> complex:
        """The one value. Raises ConversionError when there is not just one."""
        return self._number(complex)

    def __format__(self, spec: str) -> str:
        """A tensor of rank 0 as its number is formatted; others as `str`, without a format.

        >>> f"{sk.tensor(2.5):.2f}"
        '2.50'
        """
        if spec == "":
            return str(self)
        if self.ndim:
            raise ArgumentError(
                f"format {quoted(spec)}: it is for one number, and this tensor has size "
                f"{self.shape}. Format t.tolist()'s numbers one by one."
            )
        try:
            return format(read_values(self)[0], spec)
        except ValueError as error:
            kind = article(self._dtype.name)
            why = f"{error!s:.80}".rstrip(".")
            raise ConversionError(f"format {quoted(spec)} of {kind}: {why}.") from None

    def _number(self, kind: type[Numeric]) -> Numeric:
        """The one value as a Python number of a type."""
        name = kind.__name__
        if self.numel() != 1:
            raise ConversionError(
                f"{name}() of a tensor of size {self.shape}: it is for one element, and there are "
                f"{self.numel()}. tolist() gives them all."
            )
        (value,) = read_values(self)
        if isinstance(value, complex) and kind is not complex:
            if value.imag:
                raise ValueRangeError(
                    f"{name}({value}): a {name} has no imaginary part. complex() takes it."
                )
            value = value.real
        try:
            return kind(value)  # type: ignore[arg-type]
        except ValueError:
            raise ConversionError(f"{name}({value}): that is not a whole number.") from None
        except OverflowError:
            raise MagnitudeError(f"{name}({value}): no whole number is so large.") from None

    # What torch's tensors have, and stridekit's have not.

    def __getattr__(self, name: str) -> NoReturn:
        # Only what nobody defines comes here. A plain error for what protocols probe for.
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise MissingError(
            f"{name}: stridekit is about where elements lie in memory, and has nothing of that "
            f"name. If torch has it, t.torch().{name} works on the same memory."
        )

    def __eq__(self, other: object) -> Any:
        """Refused for numbers, arrays and tensors; False for everything else."""
        return _refuse("==") if _has_values(other) else NotImplemented

    def __ne__(self, other: object) -> Any:
        """Refused for numbers, arrays and tensors; True for everything else."""
        return _refuse("!=") if _has_values(other) else NotImplemented

    def __hash__(self) -> int:
        """A tensor is found in a dict or a set as the object that it is, as in torch."""
        return object.__hash__(self)


def _has_values(other: object) -> bool:
    return isinstance(other, bool | int | float | complex) or hasattr(other, "ndim")


def _refuse(sign: str) -> NoReturn:
    raise NotOfferedError(
        f"{sign}: stridekit is about where elements lie in memory, and calculates with add_ and "
        "mul_ alone. t.torch() gives a torch tensor on the same memory, which calculates and "
        "compares; t.tolist() gives plain numbers."
    )


def _refused(sign: str) -> Any:
    def refused(_self: TensorProtocols, *_others: object) -> NoReturn:
        _refuse(sign)

    refused.__doc__ = f"Refused with NotOfferedError: `{sign}` is torch's affair."
    return refused


# Those that have a reflected form and one in place; then the others.
_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
_SIGNS = {"divmod": "divmod", "rdivmod": "divmod", "neg": "-", "pos": "+", "invert": "~"}
_SIGNS |= {"abs": "abs", "round": "round", "contains": "in"}
_SIGNS |= {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
for _name, _sign in _BINARY.items():
    _SIGNS |= {_name: _sign, f"r{_name}": _sign, f"i{_name}": f"{_sign}="}
for _name, _sign in _SIGNS.items():
    setattr(TensorProtocols, f"__{_name}__", _refused(_sign))
