"""Memory formats: which order of dims the strides follow, and which strides a copy gets.

Strides are in elements. The rules are torch's (c10/core/MemoryFormat.h,
c10/core/Contiguity.h, ATen/ExpandUtils.cpp).
"""

from enum import Enum

from stridekit.errors import ArgumentError, LayoutError, quoted
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, is_contiguous, is_packed


class MemoryFormat(Enum):
    """torch's memory formats."""

    contiguous_format = "contiguous_format"
    preserve_format = "preserve_format"
    channels_last = "channels_last"
    channels_last_3d = "channels_last_3d"

    def __repr__(self) -> str:
        return f"stridekit.{self.name}"


contiguous_format = MemoryFormat.contiguous_format
preserve_format = MemoryFormat.preserve_format
channels_last = MemoryFormat.channels_last
channels_last_3d = MemoryFormat.channels_last_3d

# For each channels-last format: the dims from the fastest to the slowest.
_FASTEST_FIRST = {channels_last: (1, 3, 2, 0), channels_last_3d: (1, 4, 3, 2, 0)}


def as_format(call: str, asked: MemoryFormat) -> MemoryFormat:
    """The memory format, if it is one. Raises ArgumentError."""
    if not isinstance(asked, MemoryFormat):
        names = ", ".join(f"stridekit.{each.name}" for each in MemoryFormat)
        raise ArgumentError(f"{call}: {quoted(asked)} is not a memory format. There are {names}.")
    return asked


def follows(layout: Layout, memory_format: MemoryFormat = contiguous_format) -> bool:
    """Whether the layout is contiguous in that format: `is_contiguous(memory_format=...)`.

    Channels last is for rank 4 (3d: rank 5) only, and other ranks are simply not in it. Unlike
    contiguous_format it makes no exception for tensors without elements.

    >>> nhwc = Layout((1, 3, 2, 2), (12, 1, 6, 3))
    >>> follows(nhwc, channels_last), follows(nhwc)
    (True, False)
    """
    order = _FASTEST_FIRST.get(memory_format)
    if order is None:
        return is_contiguous(layout.size, layout.stride)
    size, stride = layout.size, layout.stride
    return len(size) == len(order) and is_packed([(size[dim], stride[dim]) for dim in order])


def is_dense(size: Ints, stride: Ints) -> bool:
    """Whether the layout is non-overlapping and dense: every position of its run, each just once.

    That is: contiguous, or contiguous once its dims stand in another order
    (c10/core/Contiguity.h, compute_non_overlapping_and_dense).

    >>> is_dense((4, 3), (1, 4)), is_dense((4, 2), (4, 1)), is_dense((2, 3), (0, 1))
    (True, False, False)
    """
    if is_contiguous(size, stride):
        return True
    return is_packed((n, step) for step, n in sorted(zip(stride, size, strict=True)))


def stride_of(call: str, size: Ints, memory_format: MemoryFormat) -> Ints:
    """The stride of a new tensor in a format. Raises LayoutError where the rank is wrong.

    >>> stride_of("clone", (1, 3, 2, 2), channels_last)
    (12, 1, 6, 3)
    """
    order = _FASTEST_FIRST.get(memory_format)
    if order is None:
        return contiguous_stride(size)
    if len(size) != len(order):
        raise LayoutError(
            f"{call}(memory_format={memory_format.name}) on size {size}: that format is for "
            f"{len(order)} dims, and this tensor has {len(size)}."
        )
    return packed_stride(size, order)


def packed_stride(size: Ints, order: Ints) -> Ints:
    """The stride of dims that are packed in an order, the fastest first; a size 0 counts as 0.

    >>> packed_stride((2, 3), (0, 1))
    (1, 2)
    """
    stride = [0] * len(size)
    step = 1
    for dim in order:
        stride[dim] = step
        step *= size[dim]
    return tuple(stride)


def suggested(layout: Layout) -> MemoryFormat:
    """The format that the strides suggest, which `to(memory_format=...)` goes by.

    It is not the rule of `follows`: it looks at dims of size 1 as well, and takes what is
    ambiguous for contiguous_format (c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4).
    """
    for memory_format, order in _FASTEST_FIRST.items():
        if layout.ndim == len(order) and _suggests(layout, order):
            return memory_format
    return contiguous_format


def _suggests(layout: Layout, order: Ints) -> bool:
    if layout.stride[1] == 0:
        return False
    least = 0
    for dim in order:
        n, step = layout.size[dim], layout.stride[dim]
        if n == 0 or step < least or (dim == 0 and least == layout.stride[1]):
            return False
        least = step * n
    return True


def preserved_stride(size: Ints, stride: Ints) -> Ints:
    """The stride that `clone()` and `flip()` give: the same if dense, else packed in that order.

    >>> preserved_stride((4, 3), (1, 4)), preserved_stride((3, 2), (8, 2))
    ((1, 4), (2, 1))
    """
    if is_dense(size, stride):
        return stride
    return packed_stride(size, fastest_first(size, [stride]))


def fastest_first(size: Ints, strides: "list[Ints]") -> Ints:
    """The dims by their strides, as torch sorts them for the memory of a result.

    A stable insertion sort from the last dim. A stride of 0 says nothing and moves nothing;
    equal strides put the smaller size first; then the next operand's strides decide
    (ATen/TensorIterator.cpp, reorder_dimensions).
    """
    order = list(reversed(range(len(size))))
    for i in range(1, len(order)):
        at = i
        for other in reversed(range(i)):
            verdict = _compare(order[other], order[at], size, strides)
            if verdict > 0:
                order[other], order[at] = order[at], order[other]
                at = other
            elif verdict < 0:
                break
    return tuple(order)


def _compare(dim0: int, dim1: int, size: Ints, strides: "list[Ints]") -> int:
    for stride in strides:
        step0, step1 = stride[dim0], stride[dim1]
        if step0 == 0 or step1 == 0:
            continue
        if step0 != step1:
            return -1 if step0 < step1 else 1
        if size[dim0] > size[dim1]:
            return 1
    return 0
