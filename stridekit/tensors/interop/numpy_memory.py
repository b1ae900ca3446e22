"""How to read a NumPy array's memory: elements of any dtype, wherever they lie."""

from collections.abc import Callable, Sequence
from sys import byteorder
from typing import Any

import numpy as np

from stridekit.tensors.interop import Value, hexadecimal

# The characters of an address that are shown: two that differ at all differ there.
ADDRESS = 6


class _Memory:
    """Memory at an address, as NumPy is told of it. `owner` keeps it alive."""

    def __init__(self, owner: Any, address: int, nbytes: int) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (nbytes,),
            "data": (address, True),
        }


def memory_of(owner: Any) -> tuple[Any, int]:
    """The bytes of an array from its lowest to its highest address, and that address."""
    address = owner.ctypes.data
    if owner.size == 0:
        return np.empty(0, np.uint8), address
    low = high = address
    for n, step in zip(owner.shape, owner.strides, strict=True):
        low, high = (low + (n - 1) * step, high) if step < 0 else (low, high + (n - 1) * step)
    return np.asarray(_Memory(owner, low, high + owner.itemsize - low)), low


def reader(memory: Any, dtype: Any, unit: int) -> Callable[[Sequence[int]], list[Value]]:
    """What gives the values at some positions, which are `unit` bytes apart."""
    width = dtype.itemsize
    text = _texts(dtype)
    if unit == width and text is None:
        flat = memory[: memory.size // width * width].view(dtype)

        def read_numbers(positions: Sequence[int]) -> list[Value]:
            values: list[Value] = flat[np.asarray(positions, dtype=np.intp)].tolist()
            return values

        return read_numbers
    within = np.arange(width, dtype=np.intp)

    def read(positions: Sequence[int]) -> list[Value]:
        starts = np.asarray(positions, dtype=np.intp) * unit
        raw = memory[starts[:, None] + within]
        if text is None:
            values: list[Value] = raw.reshape(-1).view(dtype).tolist()
            return values
        return [text(each.tobytes()) for each in raw]

    return read


def _texts(dtype: Any) -> Callable[[bytes], Value] | None:
    """What makes a value of an element's bytes; None where NumPy's own numbers will do."""
    if dtype.kind in "biufc" and dtype.itemsize <= 8 * (1 + (dtype.kind == "c")):
        return None
    if dtype.kind == "O":
        return lambda raw: "…" + f"{int.from_bytes(raw, byteorder):x}"[-ADDRESS:]
    if dtype.names is None and dtype.kind in "VT":
        return _of_no_kind(dtype)

    def text(raw: bytes) -> Value:
        try:
            (value,) = np.frombuffer(raw, dtype)
            return _value(dtype, value)
        except (ValueError, OverflowError, TypeError, SystemError):
            # Memory that another dtype has written, and that is nothing in this one.
            return hexadecimal(raw)

    return text


def _of_no_kind(dtype: Any) -> Callable[[bytes], Value]:
    """Dtypes that NumPy does not know by itself: as numbers if they say so, else as bytes."""
    if dtype.type is np.void or dtype.kind == "T":
        return hexadecimal

    def text(raw: bytes) -> Value:
        try:
            return float(np.frombuffer(raw, dtype)[0])
        except (ValueError, TypeError):
            return hexadecimal(raw)

    return text


def _value(dtype: Any, value: Any) -> Value:
    if dtype.kind in "Mm":
        return str(value)
    if dtype.kind in "SU":
        return repr(value.item())
    if dtype.kind == "f":
        number = float(value)
        if np.isfinite(number) or not np.isfinite(value):
            return number
        return np.format_float_scientific(value, precision=2)
    if dtype.kind == "c":
        return complex(value)
    return str(value)
