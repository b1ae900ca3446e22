"""What an operation moved: the headers of what went in and of what came out, and the bytes.

torch's profiler tells what went into each operation, and not what came out. That is worked out
from it, or, where the operation is made of others, from theirs.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce
from math import prod
from typing import Any, NamedTuple

import torch
from torch._C import _profiler as names

from stridekit.layouts.indexing import stride_of_copy
from stridekit.layouts.layout import Ints, Layout
from stridekit.own_code.headers import Header
from stridekit.own_code.result_layouts import result_layout
from stridekit.own_code.rows import ALWAYS

# What gives a copy of what it was given, of the same size, or else the same again.
_COPIES = frozenset({"_pin_memory", "_reshape_copy", "_to_copy", "clone", "contiguous", "copy"})
_COPIES |= {"pin_memory", "to", "type_as"}
# What gives a view where it can.
_MAY_VIEW = frozenset({"flatten", "ravel", "reshape", "reshape_as"})
# Operations that move elements and change at most their dtype; most are made of others.
MOVERS = frozenset({*ALWAYS, *_COPIES, *_MAY_VIEW, "copy_"})
# The operations of which all numbers are asked for.
_NUMBERED = frozenset(f"aten::{name}" for name in (*MOVERS, "as_strided"))
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
        self._flat: dict[tuple[int, str], Any] = {}

    def numbers(self, event: Any) -> Any:
        """The numbers that an operation was given; only torch's flat list of events has all."""
        if not self._flat:
            self._flat = {
                (each.start_ns(), name): each
                for each in self._recorded.events()
                if not each.is_python_function() and (name := each.name()) in _NUMBERED
            }
        return self._flat[event.start_time_ns, event.name].concrete_inputs()

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
        made_of = []
        for each in below(event, names._EventType.TorchOp):
            inner = each.name.removeprefix("aten::")
            if move := self.of(each, inner, name):
                made_of.append((inner, move))
        # Under torch.func an operation is made of itself, with what is batched or derived.
        itself = [move for inner, move in made_of if inner == name]
        moves = itself or [move for _, move in made_of]
        largest = max(moves, key=lambda move: move.nbytes, default=None)
        nbytes = sum(move.nbytes for move in moves)
        if not largest and name not in ALWAYS:
            return None
        if largest and (itself or not (name in ALWAYS or name in _MAY_VIEW)):
            return largest._replace(nbytes=nbytes)
        parts = [*map(header_in, given[0] if isinstance(given[0], list) else given[:1])]
        sources = tuple(part for part in parts if part)
        made = self._made(event, name, sources) if len(sources) == len(parts) > 0 else None
        made = made or (largest and largest.result)
        if not sources or made is None:
            return largest
        return Moved(sources[:SOURCES_MOST], made, nbytes if name in _MAY_VIEW else made.nbytes)

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
        """The header of what an operation gave; None where headers do not tell."""
        if name == "index":
            # How many elements a mask picks stands in the view that is read from.
            views = (each for each in event.children if each.name == "aten::as_strided")
            layout = next((_picked(*self.numbers(view)) for view in views), None)
        else:
            given = event.extra_fields.inputs
            numbers = self.numbers(event) if None in given else given
            layout = result_layout(name, tuple(map(_plain, given, numbers)))
        if layout is None:
            return None
        dtype = reduce(torch.promote_types, (getattr(torch, each.dtype) for each in sources))
        return _header(layout.size, layout.stride, dtype, sources[0].device)


def below(event: Any, kind: Any) -> Iterator[Any]:
    """The events of a kind below one, and none below these: others may lie between.

    A mode of the user's calls operations from Python, and an operation launches a kernel.
    """
    for each in event.children:
        if each.tag == kind:
            yield each
        else:
            yield from below(each, kind)


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


def _picked(_: Any, size: list[int], stride: list[int], *_offset: Any) -> Layout:
    """What is picked of a view that has as many elements as are picked."""
    picked = tuple(size)
    return Layout(picked, stride_of_copy(picked, [tuple(stride)]), 0)


def _plain(given: Any, number: Any) -> Any:
    """What went into an operation as headers and numbers, in tuples."""
    if isinstance(given, list):
        return tuple(map(header_in, given))
    return header_in(given) or (tuple(number) if isinstance(number, list) else number)
