"""Operations on dims: each takes a layout and gives another one over the same storage.

Sizes, strides and offsets are in elements. None of these ever moves an element, so their cost
does not depend on the number of elements. Dims may be negative; a dim that is not there is
refused with DimError.
"""

from collections.abc import Iterable, Sequence
from math import prod
from operator import index as to_index
from typing import SupportsIndex

from stridekit.errors import (
    ArgumentError,
    DimError,
    IndexRangeError,
    LayoutError,
    SizeError,
    StepError,
    quoted,
)
from stridekit.layouts.layout import Ints, Layout, count, spell, wrap_dim
from stridekit.layouts.whole_numbers import WIDEST, as_int, as_ints


def transpose(layout: Layout, dim0: SupportsIndex, dim1: SupportsIndex) -> Layout:
    """Two dims exchanged: sizes and strides swap places together.

    Rank 0 may name its missing dim, and does not change.

    >>> transpose(Layout.of((3, 4)), 0, 1)
    Layout(size=(4, 3), stride=(1, 4), storage_offset=0)
    """
    first = wrap_dim("transpose", dim0, layout.ndim)
    second = wrap_dim("transpose", dim1, layout.ndim)
    dims = layout.dims
    if dims:
        dims[first], dims[second] = dims[second], dims[first]
    return Layout.over(dims, layout.storage_offset)


def permute(layout: Layout, dims: Sequence[SupportsIndex]) -> Layout:
    """The layout whose dim d is the old dim dims[d].

    Law: permuting by p and then by its inverse gives the same layout back.
    Raises LayoutError unless dims names each dim once.

    >>> permute(Layout.of((2, 3, 4)), (2, 0, 1))
    Layout(size=(4, 2, 3), stride=(1, 12, 4), storage_offset=0)
    """
    call = f"permute({spell(as_int('permute', 'a dim', dim) for dim in dims)})"
    if len(dims) != layout.ndim:
        raise LayoutError(
            f"{call} on size {layout.size}: {count(len(dims), 'dim')} "
            f"{'is' if len(dims) == 1 else 'are'} named, and the tensor has {layout.ndim}. Name "
            "each dim once."
        )
    own = layout.dims
    return Layout.over([own[dim] for dim in distinct(call, layout, dims)], layout.storage_offset)


def squeeze(layout: Layout, dims: Iterable[SupportsIndex] | None = None) -> Layout:
    """Without its dims of size 1: all of them, or those of `dims`. Others stay.

    >>> squeeze(Layout.of((1, 3, 1))).size, squeeze(Layout.of((1, 3, 1)), (0, 1)).size
    ((3,), (3, 1))
    """
    named = range(layout.ndim) if dims is None else distinct("squeeze", layout, tuple(dims))
    kept = [own for dim, own in enumerate(layout.dims) if own[0] != 1 or dim not in named]
    return Layout.over(kept, layout.storage_offset)


def unsqueeze(layout: Layout, dim: SupportsIndex) -> Layout:
    """With a new dim of size 1 before `dim`, which counts in the result.

    Its stride never matters for reading. torch makes it size * stride of the dim that comes to
    stand to its right, and 1 at the end (ATen/native/TensorShape.cpp).

    >>> unsqueeze(Layout.of((3, 4)), 1)
    Layout(size=(3, 1, 4), stride=(4, 4, 1), storage_offset=0)
    """
    at, dims = wrap_dim("unsqueeze", dim, layout.ndim + 1, "a result"), layout.dims
    dims.insert(at, (1, prod(dims[at]) if at < layout.ndim else 1))
    return Layout.over(dims, layout.storage_offset)


def select(layout: Layout, dim: SupportsIndex, index: SupportsIndex) -> Layout:
    """One dim dropped at one index, which may be negative: the offset moves by index * stride.

    Raises IndexRangeError.

    >>> select(Layout.of((3, 4)), 0, -1)
    Layout(size=(4,), stride=(1,), storage_offset=8)
    """
    at = own_dim("select", layout, dim)
    i, dims = as_int("select", "an index", index), layout.dims
    n, step = dims.pop(at)
    if not -n <= i < n:
        raise IndexRangeError(
            f"index {i} is outside dim {at}, which has size {n}: "
            + (f"give one from {-n} to {n - 1}." if n else "there is nothing in it to pick.")
        )
    return Layout.over(dims, layout.storage_offset + i % n * step)


def slice_dim(layout: Layout, dim: SupportsIndex, key: slice) -> Layout:
    """One dim sliced: the stride is multiplied by the step.

    Bounds are clamped as Python does. The offset moves by start * stride, also when nothing is
    left, as in torch. Raises StepError for a step below 1, LayoutError for one that 64 bits
    cannot add to the size.

    >>> slice_dim(Layout.of((3, 4)), 1, slice(1, None, 2))
    Layout(size=(3, 2), stride=(4, 2), storage_offset=1)
    """
    bounds = proper_slice(key)
    at = own_dim("slice", layout, dim)
    start, stop, step = bounds.indices(layout.size[at])
    if max(stop - start, 0) + step - 1 > WIDEST:
        raise LayoutError(
            f"slice with step {step} of dim {at}, which has size {layout.size[at]}: the sum of the "
            "two goes past 64 bits. Select the one index instead."
        )
    count = max(0, -((start - stop) // step))
    return _with_dim(layout, at, count, layout.stride[at] * step, start * layout.stride[at])


def proper_slice(key: slice) -> slice:
    """The slice with its three parts as plain ints, cut off at 64 bits as in torch.

    Raises ArgumentError for a part that is not an int, StepError for a step below 1: torch has no
    negative strides.
    """
    parts: list[int | None] = []
    for name, bound in (("start", key.start), ("stop", key.stop), ("step", key.step)):
        try:
            number = None if bound is None else to_index(bound)
        except (TypeError, ValueError):
            said = f"slice: {name} is an int or nothing, not {quoted(bound)}."
            raise ArgumentError(said) from None
        parts.append(None if number is None else min(max(number, -WIDEST), WIDEST))
    step = parts[2]
    if step is not None and step < 1:
        raise StepError(
            f"slice with step {step}: torch has no negative strides, so the step is at least "
            "1. flip() copies instead."
        )
    return slice(*parts)


def narrow(
    layout: Layout, dim: SupportsIndex, start: SupportsIndex, length: SupportsIndex
) -> Layout:
    """`length` indices of one dim, from `start` on, which may be negative.

    Raises IndexRangeError for a start outside, SizeError for a length that does not fit.

    >>> narrow(Layout.of((3, 4)), 1, 1, 2)
    Layout(size=(3, 2), stride=(4, 1), storage_offset=1)
    """
    if not layout.ndim:
        raise SizeError("narrow on rank 0: there is no dim to narrow.")
    first, count = as_int("narrow", "start", start), as_int("narrow", "length", length)
    if count < 0:
        raise SizeError(f"narrow: length {count} is negative. It counts indices.")
    at = wrap_dim("narrow", dim, layout.ndim)
    n = layout.size[at]
    if not -n <= first <= n:
        raise IndexRangeError(f"narrow: start {first} is outside dim {at}, which has size {n}.")
    first += n if first < 0 else 0
    if first + count > n:
        raise SizeError(
            f"narrow: start {first} + length {count} goes beyond dim {at}, which has size {n}."
        )
    return _with_dim(layout, at, count, layout.stride[at], first * layout.stride[at])


def unfold(layout: Layout, dim: SupportsIndex, size: SupportsIndex, step: SupportsIndex) -> Layout:
    """Windows over one dim: as many as fit, `step` apart; their elements are a new last dim.

    Windows overlap where step < size. Raises SizeError for a window that does not fit, or a
    step below 1.

    >>> unfold(Layout.of((5,)), 0, 3, 1)
    Layout(size=(3, 3), stride=(1, 1), storage_offset=0)
    """
    at = wrap_dim("unfold", dim, layout.ndim)
    width, hop = (
        as_int("unfold", what, n, plain=True) for what, n in (("size", size), ("step", step))
    )
    n, stride = (layout.size[at], layout.stride[at]) if layout.ndim else (1, 1)
    if not 0 <= width <= n:
        raise SizeError(f"unfold: a window of {width} does not fit dim {at}, which has size {n}.")
    if hop < 1:
        raise SizeError(f"unfold: step {hop} leads nowhere. It is at least 1.")
    dims = layout.dims
    if dims:
        dims[at] = (n - width) // hop + 1, stride * hop
    return Layout.over([*dims, (width, stride)], layout.storage_offset)


def diagonal(
    layout: Layout,
    offset: SupportsIndex = 0,
    dim0: SupportsIndex = 0,
    dim1: SupportsIndex = 1,
) -> Layout:
    """The diagonal of two dims, as a new last dim whose stride is the sum of both.

    A positive offset moves along dim1, a negative one along dim0. An empty diagonal leaves the
    storage_offset as it is. Raises LayoutError when both dims are one.

    >>> diagonal(Layout.of((3, 4)), 1)
    Layout(size=(3,), stride=(5,), storage_offset=1)
    """
    shift = as_int("diagonal", "offset", offset, plain=True)
    first, second = wrap_dim("diagonal", dim0, layout.ndim), wrap_dim("diagonal", dim1, layout.ndim)
    if first == second:
        raise LayoutError(f"diagonal: dim {dim0} and dim {dim1} are the same. Give two.")
    down, right, dims = max(-shift, 0), max(shift, 0), layout.dims
    (rows, step), (columns, across) = dims[first], dims[second]
    count = max(min(rows - down, columns - right), 0)
    moved = down * step + right * across if count else 0
    kept = [own for dim, own in enumerate(dims) if dim not in (first, second)]
    return Layout.over([*kept, (count, step + across)], layout.storage_offset + moved)


def as_strided(
    layout: Layout,
    size: Sequence[SupportsIndex],
    stride: Sequence[SupportsIndex],
    storage_offset: SupportsIndex | None = None,
) -> Layout:
    """Any layout on the same storage. Of the old one only the storage_offset is kept, by default.

    Whether it stays inside the storage is for the storage's owner to check. Raises LayoutError
    for negative numbers, or where there are not as many sizes as strides.
    """
    sizes = as_ints("as_strided", "a size", size)
    strides = as_ints("as_strided", "a stride", stride)
    offset = layout.storage_offset
    if storage_offset is not None:
        offset = as_int("as_strided", "storage_offset", storage_offset)
    for name, numbers in (("size", sizes), ("stride", strides), ("storage_offset", (offset,))):
        if min(numbers, default=0) < 0:
            raise LayoutError(
                f"as_strided: {name} {numbers if name != 'storage_offset' else offset} is "
                "negative, and torch has nothing of the kind."
            )
    return Layout(sizes, strides, offset)


def _with_dim(layout: Layout, dim: int, size: int, stride: int, moved: int) -> Layout:
    dims = layout.dims
    dims[dim] = size, stride
    return Layout.over(dims, layout.storage_offset + moved)


def own_dim(call: str, layout: Layout, dim: SupportsIndex) -> int:
    """A dim of a tensor that has dims: unlike wrap_dim, rank 0 answers to none."""
    if not layout.ndim:
        raise DimError(f"{call} on rank 0: it has no dims.")
    return wrap_dim(call, dim, layout.ndim)


def distinct(call: str, layout: Layout, dims: Sequence[SupportsIndex]) -> Ints:
    """The dims as numbers from 0 on. Raises LayoutError for one that is named twice."""
    wrapped: list[int] = []
    for dim in dims:
        wrapped.append(wrap_dim(call, dim, layout.ndim))
        if wrapped.count(wrapped[-1]) > 1:
            raise LayoutError(
                f"{call} on size {layout.size}: dim {dim} is named twice. Name each dim once."
            )
    return tuple(wrapped)
