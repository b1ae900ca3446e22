"""Indexing: which elements `t[key]` means.

A *basic* key (ints, slices, `...`, None) never picks single elements. It is always a new
storage_offset, new sizes and new strides, which is why its result can share the storage. An
*advanced* key (lists, masks, integer tensors) names elements one by one, and so its result is
a copy. The order of work is torch's (torch/csrc/autograd/python_variable_indexing.cpp and
ATen/TensorIndexing.h): item by item, from the left.
"""

from dataclasses import dataclass
from itertools import compress, product
from math import prod
from types import EllipsisType
from typing import NamedTuple, SupportsIndex

from stridekit.errors import IndexKindError, IndexRangeError, quoted
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes, plan_expand
from stridekit.layouts.dims import permute, proper_slice, select, slice_dim, unsqueeze
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count, is_contiguous
from stridekit.layouts.memory_formats import fastest_first, packed_stride
from stridekit.layouts.view_rule import plan_view


@dataclass(frozen=True, slots=True)
class Listed:
    """An advanced item: indices into one dim, in row-major order of `size`; or a mask.

    A mask is given by its size and the truth values; it answers for as many dims as it has.
    `stride` is that of the tensor the indices come from, for it shapes the result's own strides;
    None stands for row-major order.
    """

    size: Ints
    values: tuple[int, ...] | tuple[bool, ...]
    is_mask: bool = False
    stride: Ints | None = None


Item = SupportsIndex | slice | EllipsisType | Listed | None
Key = Item | tuple[Item, ...]


class Pick(NamedTuple):
    """What an advanced key picks: the result's size and stride, and each element's position.

    The positions stand in row-major order of the result. It was picked from `view`, the view that
    the basic items make; `by_mask` says whether by one mask and nothing else.
    """

    size: Ints
    stride: Ints
    positions: tuple[int, ...]
    view: Layout
    by_mask: bool


def plan_index(layout: Layout, key: Key) -> Layout | Pick:
    """The layout of `t[key]` for a basic key; for one with lists or masks, what it picks.

    An int drops its dim, a slice keeps it (step at least 1, bounds clamped as Python does),
    None adds a dim of size 1, `...` stands for all the dims that are not named.
    Raises IndexRangeError, IndexKindError, StepError or ArgumentError.

    >>> plan_index(Layout.of((3, 4)), (slice(0, 3, 2), slice(1, None)))
    Layout(size=(2, 3), stride=(8, 1), storage_offset=1)

    The lists broadcast against each other. The dims of what they give stand in place of the
    indexed dims if these are neighbours, and else at the front. The copy's strides are those
    that torch's iterator gives it (ATen/native/TensorAdvancedIndexing.cpp).

    >>> picked = plan_index(Layout.of((3, 4)), (Listed((2,), (2, 0)), slice(0, 2)))
    >>> picked.size, picked.stride, picked.positions
    ((2, 2), (2, 1), (8, 9, 0, 1))
    """
    view, listed = _walk(layout, key)
    if not listed:
        return view
    size = broadcast_sizes(*(item.size for item in listed.values()))
    if isinstance(size, Misfit):
        raise IndexRangeError(
            f"[...] with lists of sizes {' and '.join(map(str, size.sizes))}: they do not "
            "broadcast against each other, so they name no elements."
        )
    source, dims = view, sorted(listed)
    if dims != list(range(dims[0], dims[-1] + 1)):
        order = dims + [dim for dim in range(view.ndim) if dim not in dims]
        source = permute(view, order)
        listed = {order.index(dim): listed[dim] for dim in dims}
        dims = list(range(len(dims)))
    first = dims[0]
    before, after = source.dims[:first], source.dims[first + len(dims) :]
    spread = Layout.over([*before, *((n, 0) for n in size), *after], source.storage_offset)
    result = spread.size
    if prod(result) or (0 not in size and any(source.size[dim] == 0 for dim in dims)):
        _check_range(source, listed)
    hops = _hops(source, listed, size)
    hop_of = Layout(result, (*(0,) * first, *contiguous_stride(size), *(0,) * len(after)))
    both = zip(spread.positions(), hop_of.positions(), strict=True)
    positions = tuple(position + hops[hop] for position, hop in both)
    lists = [_list_stride(listed[dim], size, first, result) for dim in sorted(listed)]
    operands = [spread.stride, *lists]
    if all(n == 1 for n, _ in (*before, *after)) and all(
        is_contiguous(result, stride) for stride in operands
    ):
        stride = contiguous_stride(result)
    else:
        stride = stride_of_copy(result, operands)
    # A single truth value counts as a list of indices in torch, and not as a mask.
    items = key if isinstance(key, tuple) else (key,)
    picking = [item for item in items if isinstance(item, bool | Listed)]
    by_mask = len(picking) == 1 and isinstance(picking[0], Listed) and picking[0].is_mask
    return Pick(result, stride, positions, view, by_mask)


def stride_of_copy(size: Ints, strides: list[Ints]) -> Ints:
    """The stride that torch's iterator gives a new tensor, by the strides of its operands."""
    order = fastest_first(size, strides)
    if order == tuple(reversed(range(len(size)))):
        return contiguous_stride(size)
    # Here, unlike in a new tensor, a size 0 counts as 0 (ATen/TensorIterator.cpp,
    # allocate_or_resize_outputs).
    return packed_stride(size, order)


def _walk(layout: Layout, key: Key) -> tuple[Layout, dict[int, Listed]]:
    """The view that the basic items make, and the list for each of its dims that has one."""
    items = key if isinstance(key, tuple) else (key,)
    if isinstance(key, slice):
        proper_slice(key)
    for item in items:
        known = item is None or item is Ellipsis or isinstance(item, slice | Listed)
        if not known and not hasattr(type(item), "__index__"):
            raise IndexKindError(
                f"[{quoted(item)}] is not an index: ints, slices, `...` and None are, and lists "
                "and masks of ints and bools."
            )
    named = sum(map(_dims_named, items))
    if named > layout.ndim:
        raise IndexRangeError(
            f"{count(named, 'index', 'indices')} on size {layout.size}, which has "
            f"{count(layout.ndim, 'dim')}. Leave some out."
        )
    skipped = layout.ndim - named
    listed: dict[int, Listed] = {}
    dim = 0
    for item in items:
        if item is Ellipsis:
            dim += skipped
        elif item is None or isinstance(item, bool):
            layout = unsqueeze(layout, dim)
            if item is not None:
                listed[dim] = Listed((1,) if item else (0,), (0,) if item else ())
            dim += 1
        elif dim >= layout.ndim:
            # torch lets a second `...` count again, which may point past the last dim.
            raise IndexRangeError(
                f"dim {dim} of size {layout.size} does not exist: use `...` only once in an index."
            )
        elif isinstance(item, slice):
            layout, dim = slice_dim(layout, dim, item), dim + 1
        elif isinstance(item, Listed):
            listed[dim] = item
            dim += _dims_named(item)
        else:
            layout = select(layout, dim, item)
    return layout, {
        dim + i: part
        for dim, item in listed.items()
        for i, part in enumerate(_as_lists(layout, dim, item))
    }


def _as_lists(layout: Layout, dim: int, item: Listed) -> list[Listed]:
    """A mask as one list of indices per dim that it answers for; a list as it is."""
    if not item.is_mask:
        return [item]
    covered = layout.size[dim : dim + len(item.size)]
    if covered != item.size:
        raise IndexRangeError(
            f"a mask of size {item.size} does not match size {layout.size} from dim {dim} on, "
            f"which is {covered}. A mask has a value for every element."
        )
    chosen = [*compress(product(*map(range, item.size)), item.values)]
    columns = zip(*chosen, strict=True) if chosen else ((),) * len(item.size)
    return [Listed((len(chosen),), tuple(column)) for column in columns]


def _hops(viewed: Layout, listed: dict[int, Listed], size: Ints) -> list[int]:
    """For each element of the lists' common size: how far it moves the position."""
    hops = [0] * prod(size)
    for dim, item in listed.items():
        steps = plan_expand(Layout.of(item.size), size)
        assert isinstance(steps, Layout)
        n, stride = viewed.size[dim], viewed.stride[dim]
        for at, position in enumerate(steps.positions()):
            hops[at] += (item.values[position] % n) * stride
    return hops


def _list_stride(item: Listed, size: Ints, first: int, result: Ints) -> Ints:
    """The stride of a list within the result: it says something only where it is not repeated."""
    own = Layout(item.size, item.stride or contiguous_stride(item.size))
    expanded = plan_expand(own, size)
    after = len(result) - first - len(size)
    assert isinstance(expanded, Layout)
    placed = plan_view(expanded, (*(1,) * first, *size, *(1,) * after))
    assert isinstance(placed, Layout)
    own_dims = range(first, first + len(size))
    return tuple(
        step if dim in own_dims or result[dim] == 1 else 0 for dim, step in enumerate(placed.stride)
    )


def _check_range(viewed: Layout, listed: dict[int, Listed]) -> None:
    for dim, item in listed.items():
        n = viewed.size[dim]
        for i in item.values:
            if not -n <= i < n:
                raise IndexRangeError(
                    f"index {i} is outside a dim of size {n}: "
                    + (f"give one from {-n} to {n - 1}." if n else "it has nothing to pick.")
                )


def _dims_named(item: Item) -> int:
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    return len(item.size) if isinstance(item, Listed) and item.is_mask else 1
