"""The arithmetic there is, for what it shows about memory: adding, multiplying, comparing.

Where positions are shared, adding in place tells how often each is written; that is why it is
here. All other arithmetic is torch's affair. What is compared broadcasts and meets in one dtype, as
torch's operators have it; the result's strides are those that torch's iterator gives it
(ATen/TensorIterator.cpp).
"""

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Self

from stridekit.errors import (
    ArgumentError,
    NoNumberError,
    NotOfferedError,
    SizeError,
    UnorderedError,
    ValueRangeError,
)
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes, plan_expand
from stridekit.layouts.indexing import stride_of_copy
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, is_contiguous
from stridekit.layouts.memory_formats import is_dense, preserved_stride
from stridekit.tensors.base import TensorBase
from stridekit.tensors.dtypes import (
    DType,
    Kind,
    Number,
    bool_,
    can_hold_kind,
    complex64,
    float32,
    kind_of,
    result_dtype,
)
from stridekit.tensors.inputs import as_number, foreign, is_number, read_values
from stridekit.tensors.own_header import OwnHeader
from stridekit.tensors.writes import require_apart

_HALF = ("float16", "bfloat16")
Operation = Callable[[Any, Any], Any]


class Arithmetic(OwnHeader):
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
        if isinstance(other, TensorBase):
            layout = self._broadcast(call, other)
            operands = (self, other)
            result_dtype(
                [x.dtype for x in operands if x.ndim], [x.dtype for x in operands if not x.ndim]
            )
            self._require_kind(call, other.dtype.kind)
            require_apart(call, self, other)
            source = TensorBase(layout, other.untyped_storage(), other.dtype)
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


# Comparing.


class Comparisons(Arithmetic):
    """What can be compared. See `Tensor`."""

    __slots__ = ()

    def equal(self, other: TensorBase) -> bool:
        """Whether both have the same size and, in the dtype where they meet, equal values.

        Raises SizeError for dtypes that have none in common.

        >>> grid = sk.arange(4).view(2, 2)
        >>> grid.t().equal(grid.t().clone()), grid.equal(grid.t())
        (True, False)
        """
        if not isinstance(other, TensorBase):
            raise ArgumentError(f"equal: give a stridekit tensor, not a {type(other).__name__}.")
        if self.shape != other.shape:
            return False
        dtype = result_dtype([self.dtype, other.dtype])
        return _cast(dtype, read_values(self)) == _cast(dtype, read_values(other))

    def __eq__(self, other: object) -> Any:
        """Where the elements are equal: a mask. `equal` compares as a whole."""
        return self._compared("==", other, operator.eq)

    def __ne__(self, other: object) -> Any:
        """Where the elements differ: a mask."""
        return self._compared("!=", other, operator.ne)

    def __lt__(self, other: Any) -> Any:
        """Where the elements are less: a mask.

        >>> grid = sk.arange(4)
        >>> grid[grid < 2].tolist()
        [0, 1]
        """
        return self._compared("<", other, operator.lt)

    def __le__(self, other: Any) -> Any:
        """Where the elements are less or equal: a mask."""
        return self._compared("<=", other, operator.le)

    def __gt__(self, other: Any) -> Any:
        """Where the elements are greater: a mask."""
        return self._compared(">", other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        """Where the elements are greater or equal: a mask."""
        return self._compared(">=", other, operator.ge)

    def __hash__(self) -> int:
        """A tensor is found in a dict or a set as the object that it is, as in torch."""
        return object.__hash__(self)

    def __contains__(self, value: object) -> bool:
        """Whether some element equals a number, or a tensor that broadcasts.

        Raises NoNumberError for anything else.
        """
        if not isinstance(value, TensorBase) and not is_number(value):
            raise NoNumberError(
                f"in: a tensor holds numbers, and {value!r} is none. Give a number or a tensor."
            )
        return any(read_values(self._compared("==", value, operator.eq)))

    def _compared(self, sign: str, other: Any, compare: Callable[[Any, Any], bool]) -> Any:
        shared = foreign(other)
        other = other if shared is None else shared
        if not isinstance(other, TensorBase):
            if not is_number(other):
                if sign in ("==", "!="):
                    return NotImplemented
                raise NotOfferedError(
                    f"{sign}: a tensor compares with numbers and stridekit's tensors, not with a "
                    f"{type(other).__name__}."
                )
            return self._compared_with_number(sign, as_number(sign, other), compare)
        size = broadcast_sizes(self.shape, other.shape)
        if isinstance(size, Misfit):
            raise SizeError(f"{sign}: {size.message}")
        operands = (self, other)
        dtype = result_dtype(
            [x.dtype for x in operands if x.ndim], [x.dtype for x in operands if not x.ndim]
        )
        _require_order(sign, dtype)
        values, strides = [], []
        for x in operands:
            layout = plan_expand(x.layout, size)
            assert isinstance(layout, Layout)
            values.append(
                _cast(dtype, read_values(TensorBase(layout, x.untyped_storage(), x.dtype)))
            )
            strides.append(_stride_in(x, layout, dtype))
        stride = _stride_of_result(size, strides, alike=self.shape == other.shape)
        return self._new(size, stride, bool_.pack(map(compare, *values)), bool_)

    def _compared_with_number(
        self, sign: str, number: Number, compare: Callable[[Any, Any], bool]
    ) -> Self:
        kinds = [kind_of(number)]
        dtype = result_dtype(*([self.dtype], []) if self.ndim else ([], [self.dtype]), kinds)
        _require_order(sign, dtype)
        (theirs,) = _cast(dtype, [number])
        values = [compare(value, theirs) for value in _cast(dtype, read_values(self))]
        stride = _stride_of_result(
            self.shape, [_stride_in(self, self.layout, dtype)], alike=not self.ndim
        )
        return self._new(self.shape, stride, bool_.pack(values), bool_)


def _require_order(sign: str, dtype: DType) -> None:
    if dtype.kind == "complex" and sign not in ("==", "!="):
        raise UnorderedError(f"{sign}: complex numbers have no order. Compare them with == or !=.")


def _cast(dtype: DType, values: list[Number]) -> list[Number]:
    """The values as the dtype has them, rounded."""
    return dtype.unpack(dtype.pack(map(dtype.cast, values)))


def _stride_in(x: TensorBase, expanded: Layout, dtype: DType) -> Ints:
    """The strides that torch's iterator sees: 0 for dims that are new or repeated.

    An operand of another dtype is converted first, and has the strides of its copy.
    """
    lead = expanded.ndim - x.ndim
    own = x.stride() if x.dtype == dtype else preserved_stride(x.shape, x.stride())
    sizes = zip(x.shape, expanded.size[lead:], own, strict=True)
    return (*(0,) * lead, *(0 if n == 1 != new else step for n, new, step in sizes))


def _stride_of_result(size: Ints, strides: list[Ints], *, alike: bool = False) -> Ints:
    """The strides of a new tensor, by those of the operands; `alike` if none is broadcast."""
    if alike and all(is_contiguous(size, stride) for stride in strides):
        return contiguous_stride(size)
    if alike and all(stride == strides[0] and is_dense(size, stride) for stride in strides):
        return strides[0]
    return stride_of_copy(size, strides)
