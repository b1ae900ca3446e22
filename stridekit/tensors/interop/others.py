"""Arrays of other libraries, by the protocols in which they offer their memory.

In this order: the buffer protocol (bytes, `array.array`, memoryview, ctypes, mmap), NumPy's
`__array_interface__` (PIL's images), and DLPack (JAX, CuPy, TensorFlow). Where the memory is not
on this machine, torch fetches it, if it is loaded.
"""

import sys
from typing import Any

import numpy as np

from stridekit.errors import InteropError

# DLPack's numbers for memory that the processor can read: its own, and pinned for CUDA.
_NEAR = (1, 3)


def as_array(call: str, x: Any) -> Any:
    """A NumPy array on the object's own memory, or a torch tensor if it lies on a device.

    None for what offers no memory by any of the protocols. Raises InteropError where it offers
    one, and that cannot be taken.
    """
    try:
        view = memoryview(x)
    except (TypeError, BufferError, ValueError):
        view = None
    try:
        if view is not None:
            return _of_buffer(view)
        if hasattr(x, "__array_interface__"):
            return np.asarray(x)
        if hasattr(x, "__dlpack__"):
            return _of_dlpack(call, x)
    except InteropError:
        raise
    except (
        RuntimeError,
        TypeError,
        ValueError,
        BufferError,
        AttributeError,
        AssertionError,
    ) as error:
        raise InteropError(
            f"{call}: this {type(x).__name__} offers its memory, and cannot hand it over: "
            f"{error!s:.200}. Make a NumPy array of it first, with numpy.asarray(x)."
        ) from error
    return None


def _of_buffer(view: memoryview) -> Any:
    """An array on a buffer's memory. What it is a slice of is its base, if that is one run."""
    array = np.asarray(view)
    try:
        exporter: Any = view.obj
        whole = np.frombuffer(exporter, np.uint8)
    except (TypeError, ValueError, BufferError):
        return array
    if not array.size:
        return array
    ahead = array.ctypes.data - whole.ctypes.data
    if not 0 <= ahead < whole.size:
        return array
    return np.ndarray(array.shape, array.dtype, whole, ahead, array.strides)


def _of_dlpack(call: str, x: Any) -> Any:
    kind, _ = x.__dlpack_device__()
    torch = sys.modules.get("torch")
    if int(kind) in _NEAR:
        try:
            return np.from_dlpack(x)
        except (BufferError, RuntimeError, TypeError):
            # bfloat16, say, which torch has.
            if torch is None:
                raise
            return torch.from_dlpack(x)
    if torch is None:
        raise InteropError(
            f"{call}: this {type(x).__name__} lies on another device, from which torch fetches "
            "what is shown. Write import torch first, or copy the array over."
        )
    return torch.from_dlpack(x)
