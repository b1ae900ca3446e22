"""torch tensors: headers read off them on any device, and the same memory in and out."""

import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from operator import neg
from typing import Any

import torch
from torch.utils import _python_dispatch

from stridekit.errors import ArgumentError, InteropError
from stridekit.layouts.layout import Layout
from stridekit.layouts.whole_numbers import a_type
from stridekit.tensors.dtypes import BY_NAME, DType
from stridekit.tensors.interop import (
    BytesAt,
    Subject,
    Value,
    each_element,
    far,
    hexadecimal,
    memory_at,
    near,
)
from stridekit.tensors.interop.measures import AT_ONCE, ON_DEVICE, Measured, measured_by
from stridekit.tensors.storage import Storage

Says = Callable[[Sequence[int], Sequence[Value]], list[Value]]

# What memory holds of a quantised tensor.
CODES = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}
# How many codes share a byte.
_SHARING = {torch.quint4x2: 2, torch.quint2x4: 4}
# The bits that have a tensor say something else than memory holds: what each does to a value.
_LAZY: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "conj": ("conjugate", lambda value: complex(value).conjugate(), " in the imaginary part"),
    "neg": ("negative", neg, ""),
}
# Addresses say which memories meet on these devices alone; elsewhere they are names of storages.
_COUNTABLE = ("cpu", "cuda")
# Devices in the order in which they were met: the processor's memory is the first.
_DEVICES = {"cpu": 0}


def shared_torch(call: str, x: Any) -> tuple[Layout, Storage, DType]:
    """The layout of a torch tensor, over a storage that is the tensor's whole storage.

    Raises what `from_torch` raises.
    """
    if not isinstance(x, torch.Tensor):
        raise ArgumentError(f"{call}: give a torch tensor, not {a_type(x)}.")
    storage = _storage_of(call, x)
    dtype = BY_NAME.get(name_of(x.dtype))
    if x.requires_grad or storage is None:
        why = "this tensor requires grad, and writes from outside would escape autograd. "
        why += "Share x.detach() instead."
    elif storage.device.type != "cpu":
        way_out = "x.cpu()" if storage.device.type != "meta" else "a tensor with memory"
        why = f"this tensor lies on device {storage.device}, whose memory cannot be read from "
        why += f"here. Give {way_out}."
    elif x.is_quantized:
        why = "a quantised tensor's bytes are codes. Give x.dequantize()."
    elif x.is_conj() or x.is_neg():
        why = "this tensor is a lazy conjugate or negative, so its memory holds other values than "
        why += "it shows. Give x.resolve_conj().resolve_neg()."
    elif dtype is None:
        why = f"stridekit has no {x.dtype}. Convert first, with x.to(...), to one of "
        why += f"{', '.join(BY_NAME)}."
    else:
        return _layout_of(call, x), Storage.wrap(over_storage(storage).numpy().data), dtype
    raise InteropError(f"{call}: {why}")


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


def over_storage(x: Any) -> Any:
    """A tensor over a whole storage: of its bytes, or of its elements where it has a dtype."""
    storage, dtype = x, torch.uint8
    if not isinstance(x, torch.UntypedStorage):
        storage, dtype = x._untyped_storage, x.dtype  # noqa: SLF001 - the public name warns
    return torch.empty(0, dtype=dtype, device=storage.device).set_(storage)


# Headers.


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
    # A fake tensor names a device, and its storage is on none.
    readable = storage.device.type != "meta"
    if x.dtype in _SHARING:
        layout, kind, name = Layout((storage.nbytes(),), (1,)), torch.uint8, name_of(x.dtype)
        decode, dtype = each_element(1, hexadecimal), f"bytes of {name}"
    else:
        layout, kind, dtype = _layout_of(call, x), CODES.get(x.dtype, x.dtype), name_of(x.dtype)
        decode = _decoder(kind)
    itemsize = kind.itemsize
    length = storage.nbytes() // itemsize
    bytes_at = near(lambda: memory_at(storage.data_ptr(), storage.nbytes()))
    if readable and x.device.type != "cpu":
        bytes_at = _far(call, x, itemsize, length)
    is_fake = not readable and x.device.type != "meta"
    says, facts, notes = _remarks(x, layout, readable=readable, is_fake=is_fake)
    return Subject(
        library="torch",
        layout=layout,
        dtype=dtype,
        itemsize=itemsize,
        storage_length=length,
        storage_address=_address_of(storage, x.device),
        base=layout if x.dtype in _SHARING else _base_of(x, layout, itemsize),
        bytes_at=bytes_at,
        decode=decode,
        storage_id=storage._cdata,  # noqa: SLF001 - no public name
        # Nobody can ask a storage without memory.
        may_grow=not readable or storage.resizable(),
        device=str(x.device),
        readable=readable,
        says=says,
        facts=facts,
        notes=notes,
        blocks=(lambda: _measured(x, layout)) if _says_numbers(x) else None,
    )


def _says_numbers(x: Any) -> bool:
    """Whether torch makes numbers of what memory holds: of codes only with a quantiser."""
    if not x.is_quantized:
        return has_values(x.dtype)
    with suppress(RuntimeError):
        # `torch.empty` of a quantised dtype leaves it without one.
        return bool(x.qscheme())
    return False


def _measured(x: Any, layout: Layout) -> list[list[Measured]]:
    """The blocks of a tensor, measured by torch on its device."""
    with torch._C.DisableTorchFunction(), _python_dispatch._disable_current_modes():  # noqa: SLF001
        plain = x.dequantize() if x.is_quantized else x.detach()
        double = plain.device.type in _COUNTABLE
        kind = torch.float64 if double else torch.float32
        if plain.is_complex():
            kind = torch.complex128 if double else torch.complex64
        at_once = AT_ONCE if plain.device.type == "cpu" else ON_DEVICE
        return measured_by(torch, plain, layout, lambda part: part.to(kind), at_once)


def _storage_of(call: str, x: Any) -> Any:
    """The storage; None where torch.func.grad has wrapped the tensor. Raises InteropError."""
    what = f"{call}: this {type(x).__name__}"
    if type(x) is not torch.Tensor and torch.nn.parameter.is_lazy(x):
        raise InteropError(
            f"{what} has no size yet: a lazy module makes its weights when it is called first. "
            "Call the module once before."
        )
    if x.layout is not torch.strided or x.is_nested:
        kind, way_out = str(x.layout).removeprefix("torch.").lstrip("_"), "x.to_dense()"
        if x.is_nested:
            kind, way_out = "nested", "one of its parts, x.unbind()[0]"
        raise InteropError(f"{call}: a {kind} tensor has no single stride. Give {way_out}.")
    storage, functorch = None, torch._C._functorch  # noqa: SLF001
    try:
        storage = x.untyped_storage()
        if storage.device.type == "cpu":
            storage.data_ptr()
    except (RuntimeError, NotImplementedError, ValueError) as error:
        if functorch.is_gradtrackingtensor(x):
            return None
        why = (
            f"it lies on device {x.device}, which keeps its memory to itself, or stands inside "
            "torch.compile. Give a plain tensor, such as x.cpu()."
        )
        if functorch.is_functorch_wrapped_tensor(x):
            why = (
                "it stands inside torch.vmap, for each row of a batch at once. Give the whole "
                "batch, outside of the function that is mapped."
            )
        elif x._is_zerotensor():  # noqa: SLF001 - no public name
            why = "all of it is 0, and torch keeps no memory for that. Give x.clone()."
        elif storage is not None:
            why = (
                "it wraps other tensors, and does not tell which, as __tensor_flatten__ would. "
                "Give one of those."
            )
        raise InteropError(f"{what} has no storage that can be looked at: {why}") from error
    return storage


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


def _address_of(storage: Any, device: torch.device) -> int:
    """A number that tells a storage from others."""
    number = 0
    if device.type != "cpu":
        number = _DEVICES.setdefault(str(device), len(_DEVICES)) << 192
    address = 0
    if storage.device.type != "meta":
        # A subclass that wraps a device's tensors holds no memory itself, and says so here.
        with suppress(RuntimeError):
            address = storage.data_ptr()
    if address and device.type in _COUNTABLE:
        return number + address
    # Far from all that could be an address, and from each other.
    return number + ((address or storage._cdata) << 64)  # noqa: SLF001


def _base_of(x: Any, layout: Layout, itemsize: int) -> Layout:
    """The layout of the tensor that this one is a view of, in elements of this one."""
    root = x._base  # noqa: SLF001 - torch offers no public name for it
    if root is None or root.layout is not torch.strided or root.is_nested:
        return layout
    ratio, rest = divmod(root.element_size(), itemsize)
    if rest:
        return layout
    stride = tuple(step * ratio for step in root.stride())
    return Layout(tuple(root.size()), stride, root.storage_offset() * ratio)


# What memory holds.


def name_of(dtype: torch.dtype) -> str:
    """A dtype's name, without its library."""
    return str(dtype).removeprefix("torch.")


# Dtypes whose values torch gives. Others are only names for bytes; in float4_e2m1fn_x2 two numbers
# share a byte, and torch reads them as if they were one.
_WITH_VALUES = re.compile(r"bool|complex.*|b?float.*(?<!_x2)|u?int(8|16|32|64)")


def has_values(dtype: torch.dtype) -> bool:
    """Whether torch gives the values of a dtype."""
    return _WITH_VALUES.fullmatch(name_of(dtype)) is not None


def _decoder(dtype: torch.dtype) -> Callable[[bytes], list[Value]]:
    """What makes values of bytes: numbers, or hexadecimal where torch gives none."""

    def decode(raw: bytes) -> list[Value]:
        # Modes have no say in bytes: torch.device("meta"), say, or one that fakes tensors.
        with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():  # noqa: SLF001
            flat = torch.frombuffer(bytearray(raw or b"\0" * 16), dtype=torch.uint8)
            values: list[Value] = flat[: len(raw)].view(dtype).tolist()
        return values

    return decode if has_values(dtype) else each_element(dtype.itemsize, hexadecimal)


def _far(call: str, x: Any, itemsize: int, length: int) -> BytesAt:
    """What reads another device's memory: what is asked for comes over, and nothing else."""

    def fetch(places: Sequence[int]) -> bytes:
        with torch._C.DisableTorchFunction(), _python_dispatch._disable_current_modes():  # noqa: SLF001
            index = torch.tensor(places, dtype=torch.int64, device="cpu")
            try:
                # The device takes the index over by itself.
                there = torch.ops.aten.index.Tensor(_bytes_of(x, itemsize, length), [index])
            except (RuntimeError, NotImplementedError, TypeError) as error:
                raise InteropError(
                    f"{call}: this {type(x).__name__} lies on device {x.device}, which does not "
                    f"let its memory be read ({type(error).__name__}). Draw x.cpu() instead."
                ) from error
            return bytes(there.cpu().tolist())

    return far(fetch)


def _bytes_of(x: Any, itemsize: int, length: int) -> Any:
    """All whole elements of a storage as bytes, on its device. A view: nothing is copied."""
    if x.is_quantized:
        return over_storage(x.untyped_storage())[: length * itemsize]
    plain = x.detach()
    plain = plain.conj() if plain.is_conj() else plain
    plain = torch._neg_view(plain) if plain.is_neg() else plain  # noqa: SLF001
    return plain.as_strided((length,), (1,), 0).view(torch.uint8)


# What a tensor says beside its header.


def _remarks(
    x: Any, layout: Layout, *, readable: bool, is_fake: bool
) -> tuple[Says | None, tuple[str, ...], tuple[str, ...]]:
    """What it says where memory holds something else, what it is, and what has to be told of it.

    A subclass, a gradient, a lazy bit, codes, a dtype without values, no memory.
    """
    says: Says | None = None
    facts: list[str] = []
    notes: list[str] = []
    if not readable:
        what = "A fake tensor" if is_fake else "On the meta device, a tensor"
        notes.append(
            f"{what} has a header and no memory, so there are no values: cells show positions."
        )
    if type(x) is not torch.Tensor:
        facts.append("fake" if is_fake else type(x).__name__)
    if x.requires_grad:
        maker = "" if x.grad_fn is None else f" (from {x.grad_fn.name()})"
        facts.append(f"requires_grad{maker}")
    turns = []
    for fact, (bit, turn, where) in _LAZY.items():
        if getattr(x, f"is_{fact}")():
            facts.append(fact)
            turns.append(turn)
            notes.append(
                f"The {bit} bit is set: memory holds other values than the tensor says. The grid "
                f"shows what it says, the strip what memory holds, with the other sign{where}. "
                f"x.resolve_{fact}() copies."
            )
    if turns:
        says = lambda _, values: [reduce(lambda v, turn: turn(v), turns, v) for v in values]  # noqa: E731
    if many := _SHARING.get(x.dtype):
        notes.append(
            f"{name_of(x.dtype)} keeps {many} codes in a byte, so the elements of size "
            f"{tuple(x.size())} have no slots of their own: the bytes are shown."
        )
    if x.is_quantized:
        facts.append("quantised")
        says, note = _codes(x, layout)
        says = None if many else says
        notes.append(note)
    elif not has_values(x.dtype):
        notes.append(
            f"torch gives no values for {name_of(x.dtype)}: cells show the bytes of an element, in "
            "hexadecimal."
        )
    return says, tuple(facts), tuple(notes)


def _codes(x: Any, layout: Layout) -> tuple[Says | None, str]:
    """What quantised codes stand for, and how it is worked out."""
    if not _says_numbers(x):
        return None, (
            "Memory holds codes, and no quantiser says what they stand for: the codes are shown."
        )
    lead = "Memory holds codes; the grid shows what they stand for: (code - zero_point) × scale"
    with warnings.catch_warnings():
        # torch says that quantised tensors will go; whoever has one knows.
        warnings.simplefilter("ignore")
        if x.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
            scale, zero = x.q_scale(), x.q_zero_point()
            return (
                lambda _, codes: [(code - zero) * scale for code in codes],
                f"{lead}, with scale {scale:.6g} and zero_point {zero}.",
            )
        dim: int = x.q_per_channel_axis()
        scales, zeros = x.q_per_channel_scales().tolist(), x.q_per_channel_zero_points().tolist()

    def says(positions: Sequence[int], codes: Sequence[Any]) -> list[Value]:
        indices = map(layout.index_at, positions)
        # Another header may lead where this tensor has no element, and so no channel.
        return [
            code if index is None else (code - zeros[index[dim]]) * scales[index[dim]]
            for index, code in zip(indices, codes, strict=True)
        ]

    listed = ", ".join(f"{s:.3g} and {z}" for s, z in zip(scales[:4], zeros[:4], strict=True))
    more = ", ..." if len(scales) > 4 else ""
    told = f"{lead}. dim {dim} has a scale and a zero_point for each index: {listed}{more}."
    return says, told
