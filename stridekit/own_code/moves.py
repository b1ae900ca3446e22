"""What an operation moved: the headers of what went in and of what came out, and the bytes.

torch's profiler tells what went into each operation, and not what came out. That is worked out
by rules of torch's kernels, or told by the operations that it is made of. (torch would tell it on
the meta device, but it loads its compilers for that, which takes seconds; and kernels keep
channels_last where the meta device says that they do not.)

Source: ATen/native/TensorShape.cpp, PadNd.cpp, Im2Col.cpp and others there; TensorIterator.cpp.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from itertools import zip_longest
from math import prod
from typing import Any, NamedTuple

import torch
from torch._C import _profiler as names

from stridekit.layouts.indexing import stride_of_copy
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.memory_formats import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserved_stride,
    stride_of,
    suggested,
)
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.headers import Header
from stridekit.own_code.rows import ALWAYS, MAY_VIEW

# Operations that move elements and change at most their dtype; most are made of others.
MOVERS = frozenset({*ALWAYS, *MAY_VIEW, "_reshape_copy", "_to_copy", "clone", "contiguous"})
MOVERS |= {"copy", "copy_", "to", "type_as"}
# Those that write into what is there: the place of what they write among what they are given.
_WRITERS = {"_index_put_impl_": 2, "index_copy_": 3, "index_put_": 2, "put_": 2, "scatter_": 3}
# The result of these begins with what is added to a product.
_PRODUCTS = frozenset({"addbmm", "addmm", "addmv", "addr", "baddbmm", "_addmm_activation"})
# So many tensors of one copy are kept to be drawn, with the result a fourth.
SOURCES_MOST = 3


class Moved(NamedTuple):
    """What an operation moved: from where, to where, and how many bytes it wrote."""

    sources: tuple[Header, ...]
    result: Header
    nbytes: int


class Moves:
    """What the operations of a recording were given, and what they moved.

    `unseen` counts those of tensors without strides.
    """

    def __init__(self, recorded: Any) -> None:
        self._recorded, self.unseen = recorded, 0
        self._flat: list[Any] = []

    def numbers(self, event: Any) -> Any:
        """The numbers that an operation was given; only torch's flat list of events has all."""
        # It is in the order in which they began.
        self._flat = self._flat or self._recorded.events()
        at = bisect_left(self._flat, event.start_time_ns, key=lambda each: each.start_ns())
        while self._flat[at].is_python_function() or self._flat[at].name() != event.name:
            at += 1
        return self._flat[at].concrete_inputs()

    def of(self, event: Any, name: str, above: str) -> Moved | None:
        """What an operation of this name moved, by itself or by those that it is made of."""
        if name == "copy_":
            return self._copied(event, above)
        given = event.extra_fields.inputs
        if name in _WRITERS:
            to, values = header_in(given[0]), header_in(given[_WRITERS[name]])
            adds = "index_put" in name and given[3]
            if not to or not values or not values.size or adds:
                return None
            return Moved((values,), to, values.nbytes)
        own = header_in(given[0]) if name in ALWAYS else None
        moves, itself = list[Moved](), list[Moved]()
        for each in below(event, names._ExtraFields_TorchOp):
            inner = each.name.removeprefix("aten::")
            if move := self.of(each, inner, name):
                # Under torch.func an operation is made of itself, with what is batched or derived;
                # but repeat_interleave, anywhere, of that of its numbers, which makes an index, and
                # roll without dims of that of a row of all elements.
                is_flat = name == "roll" and own is not None and move.result.size != own.size
                is_itself = inner == name != "repeat_interleave" and not is_flat
                (itself if is_itself else moves).append(move)
        moves = itself or moves
        if not moves and name not in ALWAYS:
            return None
        # What works in another dtype inside gives its own all the same.
        largest = max(
            moves, key=lambda x: (own and x.result.dtype == own.dtype, x.nbytes), default=None
        )
        nbytes = sum(move.nbytes for move in moves)
        if largest and (itself or not (name in ALWAYS or name in MAY_VIEW)):
            return largest._replace(nbytes=nbytes)
        parts = [*map(header_in, given[0] if isinstance(given[0], list) else given[:1])]
        sources = tuple(part for part in parts if part)
        made = self._made(event, name, sources) if len(sources) == len(parts) > 0 else None
        made = made or (largest and largest.result)
        if not sources or made is None:
            return largest
        return Moved(sources[:SOURCES_MOST], made, nbytes if name in MAY_VIEW else made.nbytes)

    def _copied(self, event: Any, above: str) -> Moved | None:
        """One tensor's elements written to another; not one number written everywhere."""
        to, source = map(header_in, event.extra_fields.inputs[:2])
        if to is None or source is None:
            self.unseen += 1
            return None
        moved = prod(source.size)
        is_fill = moved <= 1 and (prod(to.size) > 1 or source.device == to.device)
        # What is added to each row of a result is a part of it.
        is_part = above in _PRODUCTS or (bool(above) and moved < prod(to.size))
        return None if is_fill or is_part else Moved((source,), to, to.nbytes)

    def _made(self, event: Any, name: str, sources: tuple[Header, ...]) -> Header | None:
        """The header of what an operation gave; None where that is not told."""
        layout = self._layout(event, name)
        if layout is None:
            return None
        dtype = reduce(torch.promote_types, (getattr(torch, each.dtype) for each in sources))
        return _header(layout.size, layout.stride, dtype, sources[0].device)

    def _layout(self, event: Any, name: str) -> Layout | None:
        """By its rule, or by the last of what it is made of; the rule of what is refused fails."""
        if rule := _RULES.get(name):
            given = event.extra_fields.inputs
            numbers = self.numbers(event) if None in given else given
            with suppress(Exception):
                return rule(*map(_plain, given, numbers))
        last = None
        for each in below(event, names._ExtraFields_TorchOp, past="PythonDispatchMode"):
            inner = each.name.removeprefix("aten::")
            if inner == name or inner in _PARTS.get(name, ()):
                last = each, inner
        return self._layout(*last) if last else None


def below(event: Any, kind: Any, past: str = "") -> Iterator[Any]:
    """The events of a kind below one, and none below these: others may lie between.

    A mode of the user's calls operations from Python, and an operation launches a kernel.
    """
    for each in event.children:
        if type(each.extra_fields) is kind and not (past and each.name == past):
            yield each
        else:
            yield from below(each, kind, past)


def header_in(given: Any) -> Header | None:
    """The header of a tensor that went into an operation; None for what has no strides."""
    if type(given) is not names._TensorMetadata or given.layout != torch.strided:
        return None
    return _header(tuple(given.sizes), tuple(given.strides), given.dtype, str(given.device))


@lru_cache(4096)
def _header(size: Ints, stride: Ints, dtype: torch.dtype, device: str) -> Header | None:
    if len(size) != len(stride):
        return None
    header = Header(size, stride, 0, str(dtype)[6:], dtype.itemsize, 0, device)
    return header._replace(storage_nbytes=header.span[1])


def _plain(given: Any, number: Any) -> Any:
    """What went into an operation as headers and numbers, in tuples."""
    if isinstance(given, list):
        return tuple(map(header_in, given))
    return header_in(given) or (tuple(number) if isinstance(number, list) else number)


# What operations give, by headers and numbers alone.


def _kept(x: Header, *_: Any) -> Layout:
    """Of the same size, in the same order of dims."""
    return Layout(x.size, preserved_stride(x.size, x.stride), 0)


def _picked(_: Any, size: Ints, stride: Ints, *_offset: Any) -> Layout:
    """What is picked of a view that has as many elements as are picked."""
    return Layout(size, stride_of_copy(size, [stride]), 0)


def _viewed(x: Header, size: Ints) -> Layout | None:
    viewed = plan_view(x.layout, size)
    return None if isinstance(viewed, Obstacle) else viewed


def _new(size: Ints, memory_format: int | None) -> Layout:
    """New memory, in a format by torch's number for it."""
    formats = {2: channels_last, 3: channels_last_3d}
    return Layout(size, stride_of("", size, formats.get(memory_format or 0, contiguous_format)), 0)


def _in_format(size: Ints, parts: Sequence[Header]) -> Layout:
    """In the memory format that all parts suggest; where they differ, contiguous."""
    first, *others = {suggested(part.layout) for part in parts}
    return Layout(size, stride_of("", size, contiguous_format if others else first), 0)


def _with_dim(size: Ints, dim: int, n: int) -> Ints:
    """A size with another number in one dim, if there is one, counted from either end."""
    return (*size[:dim], n, *size[dim:][1:]) if size else size


@lru_cache(4096)
def _joined(parts: Sequence[Header], dim: int, *_: Any) -> Layout:
    # Those of size (0,) join whatever there is.
    sizes = [part.size for part in parts if part.size != (0,)] or [(0,)]
    (rest,) = {_with_dim(size, dim, 0) for size in sizes}
    return _in_format(_with_dim(rest, dim, sum(size[dim] for size in sizes)), parts)


def _index_select(x: Header, dim: int, index: Header, *_: Any) -> Layout:
    (n,) = index.size or (1,)
    return Layout.of(_with_dim(x.size, dim, n))


def _gathered(x: Header, dim: int, index: Header, *_: Any) -> Layout | None:
    pairs = zip(_with_dim(index.size, dim, 0), x.size, strict=True)
    return Layout.of(index.size) if all(n <= most for n, most in pairs) else None


def _padded(x: Header, pad: Ints, *_: Any) -> Layout:
    """The last dims are padded, the last one first."""
    pairs = zip_longest(reversed(x.size), pad[::2], pad[1::2], fillvalue=0)
    return _in_format(tuple(map(sum, pairs))[::-1], [x])


def _mirrored(x: Header, pad: Ints, *_: Any) -> Layout | None:
    """No more than there is beside the edge."""
    inner = zip(x.size[::-1], pad[::2], pad[1::2], strict=False)
    return _padded(x, pad) if all(max(pair) < n for n, *pair in inner) else None


_BY_RULE: dict[str, Callable[..., Layout | None]] = {
    "as_strided": _picked,
    "as_strided_": lambda _, size, stride, *_offset: Layout(size, stride, 0),
    "cat": _joined,
    "empty": lambda size, *how: _new(size, how[-1]),
    "empty_strided": lambda size, stride, *_: Layout(size, stride, 0),
    # The storage is copied as it is, if no elements overlap.
    "select_scatter slice_scatter": lambda x, *_: x.layout if all(x.stride) else _kept(x),
    "gather": _gathered,
    "index_select": _index_select,
    "constant_pad_nd replication_pad1d replication_pad2d replication_pad3d": _padded,
    "reflection_pad1d reflection_pad2d reflection_pad3d": _mirrored,
    "resize_": lambda _, size, memory_format: _new(size, memory_format),
    "select_backward slice_backward diagonal_backward": lambda _, size, *_dims: Layout.of(size),
    "tril triu": lambda x, *_: Layout.of(x.size) if len(x.size) > 1 else None,
    "_unsafe_view view": _viewed,
}
_RULES = {name: rule for names, rule in _BY_RULE.items() for name in names.split()}
# What others give is what the last of these gives that they are made of; or they are themselves.
_BY_PART = {
    "index": "as_strided",
    "block_diag _pad_circular repeat take": "empty new_empty zeros",
    "empty_like new_empty zeros": "empty empty_strided",
    "im2col native_channel_shuffle pixel_shuffle pixel_unshuffle": "reshape resize_",
    "flatten ravel reshape reshape_as": "_unsafe_view reshape view",
    "embedding": "index_select view",
    # As often as a number says, or as a tensor does: that is made by an index.
    "repeat_interleave": "flatten index_select",
    "flip roll": "cat empty_like view",
    "rot90": "flip transpose_",
    "stack": "cat view",
    "transpose_": "as_strided_",
}
_PARTS = {name: parts.split() for names, parts in _BY_PART.items() for name in names.split()}
