"""What torch's operations do to memory: which give views, which copy, and how much.

Names are those of `torch.ops.aten`, without the overload. A copy here moves elements and
changes none of them but in dtype: what a matrix product or a sum writes is a result, no copy.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import torch
from torch._subclasses.fake_tensor import FakeTensor

from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.own_code.headers import Header, header_of

Kind = Literal["copy", "view", "write", "new"]

# Fresh memory whose elements are those of the arguments (native_functions.yaml).
_COPIES = frozenset(
    {
        "_cat",
        "_pad_circular",
        "_pin_memory",
        "_to_copy",
        "_unsafe_index",
        "as_strided_scatter",
        "block_diag",
        "cat",
        "channel_shuffle",
        "clone",
        "constant_pad_nd",
        "copy",
        "diagonal_scatter",
        "embedding",
        "flip",
        "gather",
        "im2col",
        "index",
        "index_copy",
        "index_put",
        "index_select",
        "masked_scatter",
        "masked_select",
        "native_channel_shuffle",
        "pixel_shuffle",
        "pixel_unshuffle",
        "reflection_pad1d",
        "reflection_pad2d",
        "reflection_pad3d",
        "repeat",
        "repeat_interleave",
        "replication_pad1d",
        "replication_pad2d",
        "replication_pad3d",
        "roll",
        "rot90",
        "scatter",
        "select_backward",
        "select_scatter",
        "slice_backward",
        "slice_scatter",
        "stack",
        "take",
        "tril",
        "triu",
    }
)
# Elements copied into memory that was there: the place of what is copied among the arguments.
COPIES_INTO = {
    "copy_": 1,
    "index_copy_": 3,
    "index_put_": 2,
    "masked_scatter_": 2,
    "put_": 2,
    "scatter_": 3,
}


class MemoryEffect:
    """What one operation does to memory, as far as its name and its schema tell."""

    __slots__ = ("composite", "copies", "header_only", "into", "name", "resizes", "writes")

    def __init__(self, operation: Any) -> None:
        import torch

        full = operation.name()
        namespace, _, name = full.partition("::")
        name = name.partition(".")[0]
        arguments = operation._schema.arguments
        self.name = name
        self.writes = any(a.alias_info is not None and a.alias_info.is_write for a in arguments)
        self.header_only = torch.Tag.inplace_view in operation.tags
        self.copies = name in _COPIES or name.endswith("_copy")
        self.into = COPIES_INTO.get(name)
        self.resizes = name in ("resize_", "resize_as_")
        # Without autograd, as in inference_mode, torch passes these on before taking them apart.
        self.composite = namespace == "aten" and torch._C._dispatch_has_kernel_for_dispatch_key(
            full, "CompositeImplicitAutograd"
        )


@lru_cache(4096)
def effect_of(operation: Any) -> MemoryEffect:
    """What an operation does, worked out once."""
    return MemoryEffect(operation)


# One operation, measured.


class MeasuredTensor(NamedTuple):
    """A tensor's header and its storage. Held only while one operation is looked at."""

    header: Header
    cdata: int
    storage: torch.UntypedStorage


_PLAIN = (torch.Tensor, torch.nn.Parameter)


def measured(x: torch.Tensor) -> MeasuredTensor | None:
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
    return MeasuredTensor(header, storage._cdata, storage)


def judged(
    move: MemoryEffect, sources: list[MeasuredTensor], results: list[MeasuredTensor], args: Any
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
