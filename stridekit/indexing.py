"""Basic indexing: ints, slices, `...` and None turn one layout into another.

A basic index never moves an element. It is always a new storage_offset, new sizes and new
strides, which is why it can share the storage. The order of work is torch's
(torch/csrc/autograd/python_variable_indexing.cpp): item by item, from the left.
"""

from types import EllipsisType
from typing import SupportsIndex

from stridekit.errors import ArgumentError, IndexKindError, IndexRangeError, StepError
from stridekit.layout import Layout, as_int

Item = SupportsIndex | slice | EllipsisType | None
Key = Item | tuple[Item, ...]


def index_layout(layout: Layout, key: Key) -> Layout:
    """The layout of `t[key]` for a basic key.

    An int drops its dim, a slice keeps it (step at least 1, bounds clamped as Python does),
    None adds a dim of size 1, `...` stands for all the dims that are not named.
    Raises IndexRangeError, IndexKindError, StepError or ArgumentError.

    >>> grid = Layout.of((3, 4))
    >>> index_layout(grid, (slice(None), 2))
    Layout(size=(3,), stride=(4,), storage_offset=2)
    >>> index_layout(grid, (slice(0, 3, 2), slice(1, None)))
    Layout(size=(2, 3), stride=(8, 1), storage_offset=1)
    """
    items = key if isinstance(key, tuple) else (key,)
    if isinstance(key, slice):
        _bounds(key)
    for item in items:
        if not _is_basic(item):
            raise IndexKindError(
                f"[{item!r}] is no basic index: an int, a slice, `...` and None are. "
                "Lists, masks and other kinds pick elements one by one, and so must copy."
            )
    named = sum(item is not None and item is not Ellipsis for item in items)
    if named > layout.ndim:
        raise IndexRangeError(
            f"{named} indices on size {layout.size}, which has {layout.ndim} dims. Leave some out."
        )
    skipped = layout.ndim - named
    dim = 0
    for item in items:
        if item is Ellipsis:
            dim += skipped
        elif item is None:
            layout, dim = unsqueeze(layout, dim), dim + 1
        elif isinstance(item, slice):
            layout, dim = slice_dim(layout, dim, item), dim + 1
        else:
            layout = select(layout, dim, item)
    return layout


def _is_basic(item: object) -> bool:
    if item is None or item is Ellipsis or isinstance(item, slice):
        return True
    return hasattr(item, "__index__") and not isinstance(item, bool)


def _bounds(key: slice) -> slice:
    """The slice, once its three parts are known to be proper. torch looks at them first."""
    for name, bound in (("start", key.start), ("stop", key.stop), ("step", key.step)):
        if bound is not None and not hasattr(bound, "__index__"):
            raise ArgumentError(f"slice: {name} is an int or nothing, not {bound!r}.")
    if key.step is not None and key.step.__index__() < 1:
        raise StepError(
            f"slice with step {key.step}: torch has no negative strides, so the step is at least "
            "1. flip() copies instead."
        )
    return key


def _size_at(layout: Layout, dim: int) -> int:
    # torch lets a second `...` count again, which may point past the last dim.
    if dim >= layout.ndim:
        raise IndexRangeError(
            f"dim {dim} of size {layout.size} does not exist: use `...` only once in an index."
        )
    return layout.size[dim]


def select(layout: Layout, dim: int, index: SupportsIndex) -> Layout:
    """The layout with one dim dropped at one index, which may be negative.

    The offset moves by index * stride. Raises IndexRangeError.
    """
    n = _size_at(layout, dim)
    i = as_int("select", "an index", index)
    if not -n <= i < n:
        raise IndexRangeError(
            f"index {i} is outside dim {dim}, which has size {n}: "
            + (f"give one from {-n} to {n - 1}." if n else "there is nothing in it to pick.")
        )
    return Layout(
        layout.size[:dim] + layout.size[dim + 1 :],
        layout.stride[:dim] + layout.stride[dim + 1 :],
        layout.storage_offset + (i % n) * layout.stride[dim],
    )


def slice_dim(layout: Layout, dim: int, key: slice) -> Layout:
    """The layout with one dim sliced: the stride is multiplied by the step.

    The offset moves by start * stride, also when nothing is left, as in torch.
    Raises StepError for a step below 1: torch has no negative strides.
    """
    bounds = _bounds(key)
    n = _size_at(layout, dim)
    start, stop, step = bounds.indices(n)
    count = max(0, -((start - stop) // step))
    return Layout(
        (*layout.size[:dim], count, *layout.size[dim + 1 :]),
        (*layout.stride[:dim], layout.stride[dim] * step, *layout.stride[dim + 1 :]),
        layout.storage_offset + start * layout.stride[dim],
    )


def unsqueeze(layout: Layout, dim: int) -> Layout:
    """The layout with a new dim of size 1 before `dim`.

    Its stride never matters for reading; torch sets it to size * stride of the dim that comes
    to stand to its right, and to 1 at the end (ATen/native/TensorShape.cpp).
    """
    step = 1 if dim == layout.ndim else _size_at(layout, dim) * layout.stride[dim]
    return Layout(
        (*layout.size[:dim], 1, *layout.size[dim:]),
        (*layout.stride[:dim], step, *layout.stride[dim:]),
        layout.storage_offset,
    )
