"""What torch's operations do to memory: which give views, which copy, which compute.

Names are those of `torch.ops.aten`, without the overload. A copy here moves elements and
changes none of them but in dtype: what a matrix product or a sum writes is a result, no copy.
"""

from functools import lru_cache
from typing import Any, Literal

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


class Move:
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
def move_of(operation: Any) -> Move:
    """What an operation does, worked out once."""
    return Move(operation)
