"""How to read a torch tensor's memory: on this machine, or on a device in one transfer."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch.utils import _python_dispatch

from stridekit.errors import InteropError
from stridekit.tensors.interop import Distant, Value, hexadecimal

# What memory holds of a quantised tensor.
CODES = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}
Readers = tuple[Callable[[Sequence[int]], list[Value]], Callable[[Sequence[int]], bytes]]


@cache
def name_of(dtype: torch.dtype) -> str:
    """A dtype's name, without its library."""
    return str(dtype).removeprefix("torch.")


@cache
def has_values(dtype: torch.dtype) -> bool:
    """Whether torch gives the values of a dtype: it has some that are only names for bytes."""
    if dtype == torch.bool or dtype.is_complex:
        return True
    if dtype.is_floating_point:
        # Two numbers share a byte in this one, and torch reads them as if it were one.
        return "_x2" not in str(dtype)
    return name_of(dtype).removeprefix("u").removeprefix("int") in ("8", "16", "32", "64")


def near(storage: Any, dtype: torch.dtype, length: int) -> Readers:
    """Readers of memory on this machine: of elements, and of bytes."""

    def taken(kind: torch.dtype, end: int, places: Sequence[int]) -> list[Any]:
        # Under torch.device("meta"), say, or a mode that fakes tensors, these would not be real.
        with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():  # noqa: SLF001
            flat = torch.empty(0, dtype=kind, device="cpu").set_(storage, 0, (end,), (1,))
            values: list[Any] = flat[torch.tensor(places, dtype=torch.int64, device="cpu")].tolist()
        return values

    def read_bytes(places: Sequence[int]) -> bytes:
        if isinstance(places, range) and places.step == 1:
            return _piece(storage, places)
        return bytes(taken(torch.uint8, storage.nbytes(), places))

    if has_values(dtype):
        return lambda positions: taken(dtype, length, positions), read_bytes
    return _decoding(dtype, read_bytes), read_bytes


def _piece(storage: Any, places: range) -> bytes:
    # Where a header reaches beyond its storage, `set_` would make the storage longer.
    length = max(0, min(places.stop, storage.nbytes()) - places.start)
    if not length:
        return b""
    with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():  # noqa: SLF001
        flat = torch.empty(0, dtype=torch.uint8, device="cpu")
        piece: bytes = flat.set_(storage, places.start, (length,), (1,)).numpy().tobytes()
    return piece


def _decoding(
    dtype: torch.dtype, read_bytes: Callable[[Sequence[int]], bytes]
) -> Callable[[Sequence[int]], list[Value]]:
    """A reader of elements by their bytes: of numbers, or hexadecimal where torch gives none."""
    width = dtype.itemsize

    def read(positions: Sequence[int]) -> list[Value]:
        raw = read_bytes([p * width + i for p in positions for i in range(width)])
        if raw and has_values(dtype):
            with torch._C._DisableTorchDispatch():  # noqa: SLF001 - modes have no say in bytes
                flat = torch.frombuffer(bytearray(raw), dtype=torch.uint8)
                values: list[Value] = flat.view(dtype).tolist()
                return values
        return [hexadecimal(raw[at : at + width]) for at in range(0, len(raw), width)]

    return read


def far(call: str, x: Any, dtype: torch.dtype, length: int) -> tuple[Distant, Readers]:
    """Another device's memory, and readers that fetch what is shown of it, and nothing else."""

    def gather(places: Sequence[int]) -> Any:
        with torch._C.DisableTorchFunction(), _python_dispatch._disable_current_modes():  # noqa: SLF001
            index = torch.tensor(places, dtype=torch.int64, device="cpu")
            try:
                # The device takes the index over by itself.
                return torch.ops.aten.index.Tensor(_whole(x, dtype.itemsize, length), [index])
            except (RuntimeError, NotImplementedError, TypeError) as error:
                raise InteropError(
                    f"{call}: this {type(x).__name__} lies on device {x.device}, which does not "
                    f"let its memory be read ({type(error).__name__}). Draw x.cpu() instead."
                ) from error

    memory = Distant(str(x.device), gather, _bring)
    return memory, (_decoding(dtype, memory.read_bytes), memory.read_bytes)


def _bring(gathered: Sequence[Any]) -> list[bytes]:
    """What was gathered on a device, over here in one transfer."""
    with torch._C.DisableTorchFunction(), _python_dispatch._disable_current_modes():  # noqa: SLF001
        together = gathered[0] if len(gathered) == 1 else torch.cat(tuple(gathered))
        values = iter(together.cpu().tolist())
    return [bytes(next(values) for _ in range(part.numel())) for part in gathered]


def _whole(x: Any, width: int, length: int) -> Any:
    """All whole elements of a storage as bytes, on its device. A view: nothing is copied."""
    if x.is_quantized:
        flat = torch.empty(0, dtype=torch.uint8, device=x.device).set_(x.untyped_storage())
        return flat[: length * width]
    plain = x.detach()
    plain = plain.conj() if plain.is_conj() else plain
    plain = torch._neg_view(plain) if plain.is_neg() else plain  # noqa: SLF001
    return plain.as_strided((length,), (1,), 0).view(torch.uint8)
