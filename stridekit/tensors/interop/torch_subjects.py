"""Headers read off torch tensors, on any device. A tensor and its storage stay as they are."""

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch

from stridekit.errors import ArgumentError, InteropError
from stridekit.layouts.layout import Layout
from stridekit.tensors.interop import Distant, Subject, Value, hexadecimal
from stridekit.tensors.interop.torch_memory import (
    CODES,
    Readers,
    far,
    has_values,
    name_of,
    near,
)

Says = Callable[[Sequence[int], Sequence[Value]], list[Value]]

# Addresses say which memories meet on these devices alone; elsewhere they are names of storages.
_COUNTABLE = ("cpu", "cuda")
# Devices in the order in which they were met: the processor's memory is the first.
_DEVICES = {"cpu": 0}


def subject_of_torch(call: str, x: Any) -> Subject:
    """The header of a tensor that lies in one storage, and how to read what that holds."""
    with torch._C.DisableTorchFunction():  # noqa: SLF001 - what a subclass says is not the header
        return _subject(call, x)


def _subject(call: str, x: Any) -> Subject:
    storage = _storage_of(call, x)
    if storage is None:
        inner = torch._C._functorch.get_unwrapped(x)  # noqa: SLF001
        found = _subject(call, inner)
        return replace(found, facts=(*found.facts, "inside torch.func.grad"))
    kind, device, is_fake = x.dtype, x.device, is_fake_tensor(x)
    address, is_real = _address_of(storage, device, counted=not is_fake)
    readable = not is_fake and device.type != "meta"
    if readable and not is_real and device.type == "cpu":
        raise InteropError(
            f"{call}: this {type(x).__name__} has no storage that can be looked at: it wraps other "
            "tensors, and does not tell which, as __tensor_flatten__ would. Give one of those."
        )
    if kind in (torch.quint4x2, torch.quint2x4):
        return _packed(x, storage, address)
    layout, length = _layout_of(call, x), storage.nbytes() // kind.itemsize
    memory: Distant | None = None
    readers: Readers = (_nothing, _nothing)
    if readable:
        codes = CODES.get(kind, kind)
        if device.type == "cpu":
            readers = near(storage, codes, length)
        else:
            memory, readers = far(call, x, codes, length)
    found = Subject(
        library="torch",
        layout=layout,
        dtype=name_of(kind),
        itemsize=kind.itemsize,
        storage_length=length,
        storage_address=address,
        base=_base_of(x, layout, kind.itemsize),
        read=readers[0],
        read_bytes=readers[1],
        # Nobody can ask a storage without memory.
        may_grow=(not readable or storage.resizable()) and not x.requires_grad,
        device=str(device),
        readable=readable,
        distant=memory,
    )
    return _remarked(x, found)


def over_storage(x: Any) -> Any:
    """A tensor over a whole storage: of its bytes, or of its elements where it has a dtype."""
    untyped = isinstance(x, torch.UntypedStorage)
    with warnings.catch_warnings():
        # torch says that typed storages will go; whoever has one knows.
        warnings.simplefilter("ignore")
        storage, dtype = (x, torch.uint8) if untyped else (x._untyped_storage, x.dtype)  # noqa: SLF001
    return torch.empty(0, dtype=dtype, device=storage.device).set_(storage)


def _nothing(_: Sequence[int]) -> Any:
    raise AssertionError("a tensor without memory is not read")


def is_fake_tensor(x: Any) -> bool:
    """Whether a mode made the tensor that gives out headers without memory."""
    fake = sys.modules.get("torch._subclasses.fake_tensor")
    return fake is not None and isinstance(x, fake.FakeTensor)


def _remarked(x: Any, found: Subject) -> Subject:
    """The subject, with what the tensor says where memory holds something else, and what to tell.

    A subclass, a gradient, a lazy bit, codes, a dtype without values, no memory.
    """
    says: Says | None = None
    facts: list[str] = []
    notes: list[str] = []
    is_fake = is_fake_tensor(x)
    if not found.readable:
        what = "A fake tensor" if is_fake else "On the meta device, a tensor"
        notes.append(
            f"{what} has a header and no memory, so there are no values: cells show positions."
        )
    if type(x) is not torch.Tensor:
        facts.append("fake" if is_fake else type(x).__name__)
    if x.requires_grad:
        maker = "" if x.grad_fn is None else f" (from {x.grad_fn.name()})"
        facts.append(f"requires_grad{maker}")
    lazy = "memory holds other values than the tensor says. The grid shows what it says, the strip"
    if x.is_conj():
        facts.append("conj")
        says = _conjugated
        notes.append(
            f"The conjugate bit is set: {lazy} what memory holds, with the other sign in the "
            "imaginary part. x.resolve_conj() copies."
        )
    if x.is_neg():
        facts.append("neg")
        says = _negated
        notes.append(
            f"The negative bit is set: {lazy} what memory holds, with the other sign. "
            "x.resolve_neg() copies."
        )
    if x.is_quantized:
        facts.append("quantised")
        says, note = affine(x, found.layout)
        notes.append(note)
    elif not has_values(x.dtype):
        notes.append(
            f"torch gives no values for {name_of(x.dtype)}: cells show the bytes of an element, in "
            "hexadecimal."
        )
    if not facts and not notes:
        return found
    return replace(found, says=says, facts=tuple(facts), notes=tuple(notes))


def _conjugated(_: Sequence[int], values: Sequence[Value]) -> list[Value]:
    return [complex(value).conjugate() for value in values]


def _negated(_: Sequence[int], values: Sequence[Value]) -> list[Value]:
    return [-value for value in values if not isinstance(value, str)]


def affine(x: Any, layout: Layout | None = None) -> tuple[Says | None, str]:
    """What quantised codes stand for, and how it is worked out."""
    with warnings.catch_warnings():
        # torch says that quantised tensors will go; whoever has one knows.
        warnings.simplefilter("ignore")
        lead = "Memory holds codes; the grid shows what they stand for: (code - zero_point) × scale"
        if x.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
            scale, zero = x.q_scale(), x.q_zero_point()

            def says(_: Sequence[int], codes: Sequence[Value]) -> list[Value]:
                return [(code - zero) * scale for code in codes if not isinstance(code, str)]

            return says, f"{lead}, with scale {scale:.6g} and zero_point {zero}."
        axis: int = x.q_per_channel_axis()
        scales, zeros = x.q_per_channel_scales().tolist(), x.q_per_channel_zero_points().tolist()

    def says_by_channel(positions: Sequence[int], codes: Sequence[Value]) -> list[Value]:
        assert layout is not None
        found: list[Value] = []
        for position, code in zip(positions, codes, strict=True):
            index = layout.index_at(position)
            if index is None or isinstance(code, str):
                # Another header leads where this tensor has no element, and so no channel.
                found.append(code)
            else:
                found.append((code - zeros[index[axis]]) * scales[index[axis]])
        return found

    listed = ", ".join(f"{s:.3g} and {z}" for s, z in zip(scales[:4], zeros[:4], strict=True))
    more = ", ..." if len(scales) > 4 else ""
    return (
        says_by_channel if layout else None,
        f"{lead}. dim {axis} has a scale and a zero_point for each index: {listed}{more}.",
    )


def _storage_of(call: str, x: Any) -> Any:
    """The storage; None where torch.func.grad has wrapped the tensor. Raises InteropError."""
    if type(x) is not torch.Tensor and torch.nn.parameter.is_lazy(x):
        raise InteropError(
            f"{call}: this {type(x).__name__} has no size yet: a lazy module makes its weights "
            "when it is called first. Call the module once, and then draw them."
        )
    try:
        return x.untyped_storage()
    except (RuntimeError, NotImplementedError, ValueError):
        pass
    functorch = torch._C._functorch  # noqa: SLF001
    if functorch.is_gradtrackingtensor(x):
        return None
    if functorch.is_functorch_wrapped_tensor(x):
        raise InteropError(
            f"{call}: this tensor stands inside torch.vmap, for each row of a batch at once, and "
            "has no memory of its own. Give the whole batch, outside of the function that is "
            "mapped."
        )
    if x.layout is not torch.strided:
        raise InteropError(
            f"{call}: a tensor of layout {x.layout} keeps its memory in an order of its own, so it "
            "has no stride. Give x.to_dense()."
        )
    raise InteropError(
        f"{call}: this {type(x).__name__} has no storage that can be looked at: it lies on device "
        f"{x.device}, which keeps its memory to itself, or stands inside torch.compile. Give "
        "a plain tensor, such as x.cpu()."
    )


def _layout_of(call: str, x: Any) -> Layout:
    size = tuple(x.size())
    try:
        return Layout(size, tuple(x.stride()), x.storage_offset())
    except ArgumentError:
        # No ints: a header is made of nothing else.
        raise InteropError(
            f"{call}: this tensor has sizes without a number, {tuple(map(str, size))}: "
            "torch.compile or torch.export traces it. Draw a plain tensor of the same size."
        ) from None


def _address_of(storage: Any, device: torch.device, *, counted: bool) -> tuple[int, bool]:
    """A number that tells a storage from others, and whether it has memory that can be read."""
    number = 0
    if device.type != "cpu":
        number = _DEVICES.setdefault(str(device), len(_DEVICES)) << 192
    try:
        # torch warns who asks a fake tensor.
        address = storage.data_ptr() if counted else 0
    except RuntimeError:
        # A subclass that wraps other tensors holds no memory itself, and says so here.
        return number + (storage._cdata << 64), False  # noqa: SLF001
    if address and device.type in _COUNTABLE:
        return number + address, True
    # Far from all that could be an address, and from each other.
    return number + ((address or storage._cdata) << 64), True  # noqa: SLF001


def _base_of(x: Any, layout: Layout, itemsize: int) -> Layout:
    """The layout of the tensor that this one is a view of, in elements of this one."""
    root = x._base  # noqa: SLF001 - torch offers no public name for it
    if root is None or root.layout is not torch.strided or root.is_nested:
        return layout
    ratio, rest = divmod(root.element_size(), itemsize)
    if rest:
        return layout
    stride = root.stride()
    if ratio > 1:
        stride = tuple(step * ratio for step in stride)
    return Layout(tuple(root.size()), stride, root.storage_offset() * ratio)


def _packed(x: Any, storage: Any, address: int) -> Subject:
    """The bytes of a tensor whose elements share them: no element has a slot of its own."""
    length = storage.nbytes()
    _, read_bytes = near(storage, torch.uint8, length)
    name = name_of(x.dtype)
    many = 2 if x.dtype == torch.quint4x2 else 4
    layout = Layout((length,), (1,))
    scheme = affine(x)
    return Subject(
        library="torch",
        layout=layout,
        dtype=f"bytes of {name}",
        itemsize=1,
        storage_length=length,
        storage_address=address,
        base=layout,
        read=lambda positions: [hexadecimal(bytes([b])) for b in read_bytes(positions)],
        read_bytes=read_bytes,
        facts=("quantised",),
        notes=(
            f"{name} keeps {many} codes in a byte, so the elements of size {tuple(x.size())} have "
            "no slots of their own: the bytes are shown.",
            scheme[1],
        ),
    )
