"""torch tensors: the same memory as a stridekit tensor, in and out."""

from typing import Any

import torch

from stridekit.errors import ArgumentError, InteropError
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import BY_NAME, DType
from stridekit.tensors.interop.torch_memory import name_of
from stridekit.tensors.storage import Storage


def shared_torch(x: Any) -> tuple[Layout, Storage, DType]:
    """The layout of a torch tensor, over a storage that is the tensor's whole storage.

    Raises what `from_torch` raises.
    """
    _require_plain(x)
    if x.requires_grad:
        raise InteropError(
            "from_torch: this tensor requires grad, and writes from outside would escape "
            "autograd. Share x.detach() instead."
        )
    name = name_of(x.dtype)
    if name not in BY_NAME:
        raise InteropError(
            f"from_torch: stridekit has no {x.dtype}. Convert first, with x.to(...), to one of "
            f"{', '.join(BY_NAME)}."
        )
    whole = torch.empty(0, dtype=torch.uint8, device="cpu").set_(x.untyped_storage())
    layout = Layout(tuple(x.size()), x.stride(), x.storage_offset())
    return layout, Storage.wrap(whole.numpy().data), BY_NAME[name]


def to_torch(layout: Layout, storage: Storage, dtype: DType) -> Any:
    """A torch tensor on the storage's own memory: writes are seen on both sides.

    The storage can no longer grow.

    >>> x = sk.arange(6).view(2, 3).t()
    >>> to_torch(x.layout, x.untyped_storage(), x.dtype).stride()
    (1, 3)
    """
    kind = getattr(torch, dtype.name)
    if storage.readonly:
        raise InteropError(
            "torch(): this memory is read-only, and torch would write through it all the same. "
            "Make a copy first."
        )
    itemsize = dtype.itemsize
    whole = storage.share()[: storage.nbytes() // itemsize * itemsize]
    flat = torch.frombuffer(whole, dtype=kind) if whole.nbytes else torch.empty(0, dtype=kind)
    return flat.as_strided(layout.size, layout.stride, layout.storage_offset)


def _require_plain(x: Any) -> None:
    if not isinstance(x, torch.Tensor):
        raise ArgumentError(f"from_torch: give a torch tensor, not a {type(x).__name__}.")
    if x.layout is not torch.strided:
        raise InteropError(
            f"from_torch: a {str(x.layout).removeprefix('torch.')} tensor is not stored by "
            "strides. Give x.to_dense()."
        )
    if x.is_nested:
        raise InteropError(
            "from_torch: a nested tensor has no one stride. Give one of its parts, x.unbind()[0]."
        )
    try:
        storage = x.untyped_storage()
        device = storage.device
        if device.type == "cpu":
            # A subclass that wraps other tensors holds no memory itself, and says so here.
            storage.data_ptr()
    except (RuntimeError, NotImplementedError, ValueError):
        raise InteropError(
            f"from_torch: this {type(x).__name__} has no storage that can be looked at: it wraps "
            "other tensors, has no size yet, or stands inside torch.vmap or torch.compile. "
            "Give a plain tensor."
        ) from None
    if device.type != "cpu":
        way_out = "x.cpu()" if device.type != "meta" else "a tensor with memory"
        raise InteropError(
            f"from_torch: this tensor lies on device {device}, whose memory cannot be read from "
            f"here. Give {way_out}."
        )
    if x.is_quantized:
        raise InteropError("from_torch: a quantised tensor's bytes are codes. Give x.dequantize().")
    if x.is_conj() or x.is_neg():
        raise InteropError(
            "from_torch: this tensor is a lazy conjugate or negative, so its memory holds other "
            "values than it shows. Give x.resolve_conj().resolve_neg()."
        )
