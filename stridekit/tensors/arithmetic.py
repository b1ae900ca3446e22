"""The arithmetic there is, for what it shows about memory: adding and multiplying in place.

Where positions are shared, arithmetic tells how often each is written; that is why it is here.
All other arithmetic is torch's affair.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Self

from stridekit.errors import ValueRangeError
from stridekit.layouts.memory_formats import is_dense
from stridekit.tensors.dtypes import (
    DType,
    Kind,
    Number,
    can_hold_kind,
    complex64,
    float32,
    kind_of,
)
from stridekit.tensors.headers import Header
from stridekit.tensors.nested import as_number, read_values
from stridekit.tensors.overlap import require_apart
from stridekit.tensors.promotion import result_dtype
from stridekit.tensors.writes import Writes

_HALF = ("float16", "bfloat16")
Operation = Callable[[Any, Any], Any]


class Arithmetic(Writes):
    """What can be calculated in place. See `Tensor`."""

    __slots__ = ()

    def add_(self, other: Any, *, alpha: Any = 1) -> Self:
        """A number or a tensor, times `alpha`, added to every element; in place.

        Where windows overlap, a position is added to once for each index that reaches it.
        Raises OverlapError, ExpandError, ValueRangeError when the result's kind does not fit.

        >>> sk.arange(3).add_(10).tolist()
        [10, 11, 12]
        """
        factor = as_number("add_(alpha=...)", alpha)
        kind = kind_of(factor)
        fits = self._dtype.kind == "bool" if kind == "bool" else _may_scale(self._dtype, kind)
        if not fits:
            raise ValueRangeError(
                f"add_(alpha={factor}): a tensor of {self._dtype.name} takes no {kind} for alpha."
            )
        if self._dtype.kind == "bool":
            return self._arithmetic("add_", other, lambda a, b: a or (b and factor))
        scale = partial(_product, self._dtype, factor)
        if self._dtype.kind != "complex" and factor == 1:
            return self._arithmetic("add_", other, lambda a, b: a + b)
        return self._arithmetic("add_", other, lambda a, b: a + scale(b))

    def mul_(self, other: Any) -> Self:
        """Every element multiplied by a number or a tensor; in place. Raises as `add_` does.

        >>> sk.arange(3).mul_(10).tolist()
        [0, 10, 20]
        """
        if self._dtype.kind == "bool":
            return self._arithmetic("mul_", other, lambda a, b: a and b)
        return self._arithmetic("mul_", other, partial(_product, self._dtype))

    def __iadd__(self, other: Any) -> Self:
        return self.add_(other)

    def __imul__(self, other: Any) -> Self:
        return self.mul_(other)

    def _arithmetic(self, call: str, other: Any, operate: Operation) -> Self:
        dtype = self._dtype
        theirs = self._operand(call, other)
        self._storage.require_writable()
        # torch calculates with halves in float32, and rounds twice.
        finish = partial(_rounded, float32) if dtype.name in _HALF else dtype.cast
        if is_dense(self.shape, self.stride()):
            mine = dtype.unpack(self._storage.gather(self._layout, dtype.itemsize))
            results = map(finish, map(operate, mine, theirs))
            self._storage.scatter(self._layout, dtype.itemsize, dtype.pack(results))
        else:
            # One after another: where positions are shared, each index works on what is there.
            for position, value in zip(self._layout.positions(), theirs, strict=True):
                result = finish(operate(self._storage.read(dtype, position), value))
                self._storage.write(dtype, position, result)
        return self

    def _operand(self, call: str, other: Any) -> list[Number]:
        """The other side as it takes part, one value for each element of this tensor."""
        dtype = self._dtype
        if isinstance(other, Header):
            layout = self._broadcast(call, other)
            operands = (self, other)
            result_dtype(
                [x.dtype for x in operands if x.ndim], [x.dtype for x in operands if not x.ndim]
            )
            self._require_kind(call, other.dtype.kind)
            require_apart(call, self, other)
            source = Header(layout, other.untyped_storage(), other.dtype)
            values = read_values(source)
            whole = other.dtype.kind in ("bool", "int")
            return [_rounded(dtype, value) for value in values] if whole else values
        value = as_number(call, other)
        self._require_kind(call, kind_of(value))
        require_apart(call, self)
        # torch multiplies half floats by a number in float32, and adds in their own dtype.
        half = call == "mul_" and dtype.name in _HALF
        return [_rounded(float32 if half else dtype, value)] * self.numel()

    def _require_kind(self, call: str, kind: Kind) -> None:
        if not can_hold_kind(self._dtype, kind):
            raise ValueRangeError(
                f"{call}: the result would be {kind}, and {self._dtype.name} cannot hold that. "
                "Convert first: to(dtype)."
            )


def _may_scale(dtype: DType, kind: Kind) -> bool:
    return can_hold_kind(dtype, kind) or (dtype.kind == "bool" and kind == "int")


def _product(dtype: DType, a: Any, b: Any) -> Number:
    """The product as torch's loops make it: complex numbers part by part, infinities and all."""
    if dtype.kind != "complex":
        product: Number = a * b
        return product
    a, b = complex(a), complex(b)
    parts = (a.real * b.real, a.imag * b.imag, a.real * b.imag, a.imag * b.real)
    if dtype == complex64:
        parts = tuple(float32.unpack(float32.pack(parts)))  # type: ignore[assignment]
    return complex(parts[0] - parts[1], parts[2] + parts[3])


def _rounded(dtype: DType, value: Number) -> Number:
    """The value as a dtype that rounds has it; whole numbers stay as they are."""
    if dtype.kind in ("float", "complex"):
        return dtype.unpack(dtype.pack([dtype.cast(value)]))[0]
    return value
