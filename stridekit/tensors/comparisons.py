"""Comparing: element by element, which makes masks, and as a whole.

Both sides broadcast and meet in one dtype, as torch's operators have it; the result's strides are
those that torch's iterator gives it (ATen/TensorIterator.cpp).
"""

import operator
from collections.abc import Callable
from typing import Any, Self

from stridekit.errors import (
    ArgumentError,
    NoNumberError,
    NotOfferedError,
    SizeError,
    UnorderedError,
)
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes, plan_expand
from stridekit.layouts.indexing import stride_of_copy
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, is_contiguous
from stridekit.layouts.memory_formats import is_dense, preserved_stride
from stridekit.tensors.dtypes import DType, Number, bool_, kind_of
from stridekit.tensors.headers import Header
from stridekit.tensors.nested import as_number, foreign, is_number, read_values
from stridekit.tensors.own_header import OwnHeader
from stridekit.tensors.promotion import result_dtype


class Comparisons(OwnHeader):
    """What can be compared. See `Tensor`."""

    __slots__ = ()

    def equal(self, other: Header) -> bool:
        """Whether both have the same size and, in the dtype where they meet, equal values.

        Raises SizeError for dtypes that have none in common.

        >>> grid = sk.arange(4).view(2, 2)
        >>> grid.t().equal(grid.t().clone()), grid.equal(grid.t())
        (True, False)
        """
        if not isinstance(other, Header):
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
        if not isinstance(value, Header) and not is_number(value):
            raise NoNumberError(
                f"in: a tensor holds numbers, and {value!r} is none. Give a number or a tensor."
            )
        return any(read_values(self._compared("==", value, operator.eq)))

    def _compared(self, sign: str, other: Any, compare: Callable[[Any, Any], bool]) -> Any:
        shared = foreign(other)
        other = other if shared is None else shared
        if not isinstance(other, Header):
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
            values.append(_cast(dtype, read_values(Header(layout, x.untyped_storage(), x.dtype))))
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


def _stride_in(x: Header, expanded: Layout, dtype: DType) -> Ints:
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
