"""The view rule: when another size can be laid over the same positions in the same order.

`plan_view` answers with a new `Layout`, or with an `Obstacle`: the two dims that would have
to merge, and the strides that forbid it. Never with None: the reason is the lesson.

The rule is that of torch (ATen/TensorUtils.cpp, computeStride). Old dims are gathered from
the right into *chunks* whose positions form one evenly stepped run. Each chunk must be filled
exactly by new dims.
"""

from math import prod
from typing import NamedTuple

from stridekit.errors import SizeError, ViewError
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell


class Obstacle(NamedTuple):
    """Why a view is impossible: dims `left` and `right` would have to merge and cannot.

    `actual` is stride[left]; merging needs it to be `expected`, which is
    size[right] * stride[right]. All in elements. Between the two lie only dims of size 1.
    """

    layout: Layout
    new_size: Ints
    left: int
    right: int
    actual: int
    expected: int

    @property
    def reason(self) -> str:
        """The reason in one clause."""
        n, step = self.layout.size[self.right], self.layout.stride[self.right]
        return (
            f"dims {self.left} and {self.right} cannot merge, because "
            f"stride[{self.left}] is {self.actual} and merging needs "
            f"size[{self.right}] × stride[{self.right}] = {n} × {step} = {self.expected}"
        )

    @property
    def message(self) -> str:
        """Call, facts, reason, and the way out."""
        wanted = ", ".join(map(str, self.new_size))
        return (
            f"view({wanted}) on size {self.layout.size}, stride {self.layout.stride}: "
            f"{self.reason}. reshape({wanted}) copies instead."
        )


def infer_size(call: str, numel: int, size: Ints) -> Ints:
    """The size with its one -1 replaced by what makes the number of elements right.

    Raises SizeError where torch does: another number of elements, two -1, another negative
    entry, or a -1 that could be anything because the other sizes multiply to 0
    (ATen/InferSize.h).

    >>> infer_size("view", 12, (3, -1))
    (3, 4)
    """
    unknown, least = size.count(-1), min(size, default=0)
    # The product of the other sizes, where one is -1.
    known = -prod(size) if unknown else prod(size)
    why = ""
    if least < -1:
        why = f"size {least} is negative. Only one -1 may stand there."
    elif unknown > 1:
        why = "only one size can be worked out, so give one -1 at most."
    elif not unknown and known != numel:
        elements = "element" if known == 1 else "elements"
        why = f"that size holds {known} {elements}, and the tensor has {numel}."
    elif unknown and known == numel == 0:
        why = "any number could stand for -1, because the other sizes multiply to 0. "
        why += "Write the size out."
    elif unknown and known == 0:
        why = f"that size holds no elements, and the tensor has {numel}."
    elif unknown and numel % known:
        they_do = "1 element does" if numel == 1 else f"{numel} elements do"
        why = f"{they_do} not divide by {known}, the product of the other sizes, so no number can "
        why += "stand for -1."
    if why:
        raise SizeError(f"{call}({spell(size)}): {why}")
    return tuple(numel // known if n == -1 else n for n in size)


class Chunk(NamedTuple):
    """Old dims whose positions form one evenly stepped run, and the new dims that fill it.

    `new_dims` is None when none do so exactly. `stride` is the run's step, in elements.
    """

    dims: Ints
    numel: int
    stride: int
    new_dims: Ints | None

    def __str__(self) -> str:
        chunk = f"{_told(self.dims)}: a chunk of {self.numel}, {self.stride} apart"
        if self.new_dims is None:
            return f"{chunk} - the new sizes do not fill it exactly"
        if not self.new_dims:
            return f"{chunk} - nothing is left to share out"
        return f"{chunk} - becomes new {_told(self.new_dims)}"


def _told(dims: Ints) -> str:
    return f"dim{'s' if len(dims) > 1 else ''} {spell(dims)}"


def chunks(layout: Layout, new_size: Ints) -> tuple[Chunk, ...]:
    """The runs that a view shares out, from the right, up to the first that cannot be filled.

    Empty for rank 0 and for layouts without elements, whose views are always possible.

    >>> [chunk.dims for chunk in chunks(Layout((2, 3, 4), (3, 1, 6)), (6, 4))]
    [(2,), (0, 1)]
    """
    size = infer_size("view", layout.numel, new_size)
    if layout.numel == 0:
        return ()
    found: list[Chunk] = []
    pending = len(size)
    end = layout.ndim
    for dim in reversed(range(layout.ndim)):
        step = layout.stride[end - 1]
        numel = prod(layout.size[dim:end])
        if dim and (layout.size[dim - 1] == 1 or layout.stride[dim - 1] == numel * step):
            continue
        first, filled = pending, 1
        while first and (filled < numel or size[first - 1] == 1):
            first -= 1
            filled *= size[first]
        exact = tuple(range(first, pending)) if filled == numel else None
        found.append(Chunk(tuple(range(dim, end)), numel, step, exact))
        if exact is None:
            break
        pending, end = first, dim
    return tuple(found)


def plan_view(layout: Layout, new_size: Ints) -> Layout | Obstacle:
    """The layout of `view(new_size)`, or the obstacle that makes it impossible.

    `new_size` may hold one -1. Law: the new layout visits the same positions in the same
    order. Raises SizeError when the number of elements differs.

    >>> plan_view(Layout.of((3, 4)), (2, 6)).stride
    (6, 1)
    >>> print(plan_view(Layout((2, 4), (1, 2)), (8,)).message)
    view(8) on size (2, 4), stride (1, 2): dims 0 and 1 cannot merge, because stride[0] is 1 \
and merging needs size[1] × stride[1] = 4 × 2 = 8. reshape(8) copies instead.
    """
    size = infer_size("view", layout.numel, new_size)
    if layout.numel == 0:
        stride = layout.stride if size == layout.size else contiguous_stride(size)
        return Layout(size, stride, layout.storage_offset)
    strides = [1] * len(size)
    for chunk in chunks(layout, size):
        if chunk.new_dims is None:
            left = chunk.dims[0] - 1
            # A chunk that cannot be filled has more than one element, so some dim in it is not 1.
            right = next(dim for dim in chunk.dims if layout.size[dim] != 1)
            n, step = layout.dims[right]
            return Obstacle(layout, size, left, right, layout.stride[left], n * step)
        step = chunk.stride
        for dim in reversed(chunk.new_dims):
            strides[dim] = step
            step *= size[dim]
    return Layout(size, tuple(strides), layout.storage_offset)


def view_dtype(layout: Layout, itemsize: int, new_itemsize: int) -> Layout:
    """The layout of the same bytes in elements of another size, in elements of that size.

    Smaller elements: the last dim grows by the ratio. Larger ones: the last dim, the other
    strides and the offset shrink by it, and must divide. Either way the last stride must be 1,
    even in a dim of size 1. Raises ViewError (ATen/native/TensorConversions.cpp, view_dtype).

    >>> view_dtype(Layout.of((2, 3), None, 2), 8, 4)
    Layout(size=(2, 6), stride=(6, 1), storage_offset=4)
    """
    if itemsize == new_itemsize:
        return layout
    call = f"view of {itemsize}-byte elements as {new_itemsize}-byte ones"
    if not layout.ndim:
        raise ViewError(f"{call} on rank 0: there is no last dim to grow or shrink. unsqueeze(0).")
    if layout.stride[-1] != 1:
        raise ViewError(
            f"{call}: stride[-1] is {layout.stride[-1]}, and only elements that lie side by side "
            "can be taken apart or joined. contiguous() puts them there."
        )
    *outer, (last, _) = layout.dims
    if new_itemsize < itemsize:
        ratio = itemsize // new_itemsize
        dims = [(n, step * ratio) for n, step in outer]
        return Layout.over([*dims, (last * ratio, 1)], layout.storage_offset * ratio)
    ratio = new_itemsize // itemsize
    facts = {"size[-1]": last, "storage_offset": layout.storage_offset}
    facts |= {f"stride[{dim}]": step for dim, (_, step) in enumerate(outer)}
    for name, number in facts.items():
        if number % ratio:
            raise ViewError(f"{call}: {name} is {number}, which does not divide by {ratio}.")
    dims = [(n, step // ratio) for n, step in outer]
    return Layout.over([*dims, (last // ratio, 1)], layout.storage_offset // ratio)
