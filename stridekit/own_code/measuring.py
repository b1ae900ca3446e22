"""One operation, measured: headers of what went in and came out, and what that makes of it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch._subclasses.fake_tensor import FakeTensor

from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.own_code.headers import Header, header_of
from stridekit.own_code.moves import Kind, Move


class Measured(NamedTuple):
    """A tensor's header and its storage. Held only while one operation is looked at."""

    header: Header
    cdata: int
    storage: torch.UntypedStorage


_PLAIN = (torch.Tensor, torch.nn.Parameter)


def measured(x: torch.Tensor) -> Measured | None:
    """What is known of a tensor; None for one that has no strides or no memory to look at."""
    plain = type(x) in _PLAIN
    try:
        storage = torch.Tensor.untyped_storage(x)
        header = header_of(x, storage, None if plain else torch.Tensor)
    except Exception:  # noqa: BLE001 - a subclass may raise anything, and the user's code goes on
        return None
    if not plain and not all(type(n) is int for n in (*header.size, *header.stride)):
        # A nested tensor's sizes may be symbols.
        return None
    return Measured(header, storage._cdata, storage)


def judged(
    move: Move, sources: list[Measured], results: list[Measured], args: Any
) -> tuple[Kind, int]:
    """The kind of what was done, and how many bytes were copied."""
    if move.resizes:
        before, after = sources[0].header.storage_nbytes, results[0].header.storage_nbytes
        return ("copy", before) if before and after > before else ("view", 0)
    if move.header_only:
        return "view", 0
    if move.name == "copy_":
        return "copy", sources[0].header.nbytes
    if move.into is not None:
        values = args[move.into] if len(args) > move.into else None
        # One number is written everywhere: that is a fill.
        if not isinstance(values, torch.Tensor) or not values.dim():
            return "write", 0
        return "copy", values.numel() * values.element_size()
    copied = sum(m.header.nbytes for m in results) if move.copies else 0
    if move.writes:
        return ("copy", copied) if move.copies else ("write", 0)
    memory = {m.cdata for m in sources}
    if results and all(m.cdata in memory for m in results):
        return "view", 0
    return ("copy", copied) if move.copies else ("new", 0)


def tensors_in(args: Any, kwargs: Any) -> Iterator[torch.Tensor]:
    """All tensors among arguments, and in their lists."""
    for x in (*args, *kwargs.values()):
        if isinstance(x, torch.Tensor):
            yield x
        elif isinstance(x, list | tuple):
            for y in x:
                if isinstance(y, torch.Tensor):
                    yield y


@lru_cache(1024)
def takes_apart(kind: type[torch.Tensor]) -> bool:
    """Whether tensors of a class do each operation on other tensors, which they are made of.

    Those on no memory, as torch.compile and torch.export use them, do not.
    """
    own = kind.__torch_dispatch__ is not torch._C._disabled_torch_dispatch_impl
    return own and not issubclass(kind, FakeTensor)


def is_plain(header: Header) -> bool:
    """Whether a header of rank 4 or 5 is contiguous, and not in channels_last as well."""
    layout = header.layout
    wanted = channels_last if len(header.size) == 4 else channels_last_3d
    return layout.is_contiguous and not follows(layout, wanted)
