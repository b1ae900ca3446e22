"""NumPy arrays: the same memory as a stridekit tensor, in and out.

NumPy counts strides in bytes and allows negative ones. Here, and only here, they are called
byte_strides.
"""

from typing import Any

import numpy as np

from stridekit.errors import ArgumentError, ByteOrderError, InteropError, InteropStrideError
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import BY_NAME, DType
from stridekit.tensors.storage import Storage


def shared_numpy(array: Any) -> tuple[Layout, Storage, DType]:
    """The layout of an array, over a storage that is the array's own memory.

    Raises what `from_numpy` raises.
    """
    if not isinstance(array, np.ndarray):
        raise ArgumentError(f"from_numpy: give a NumPy array, not a {type(array).__name__}.")
    dtype = _dtype_of("from_numpy", array)
    if min(array.strides, default=0) < 0:
        raise InteropStrideError(
            f"from_numpy: byte_strides {array.strides} has a negative entry, and torch has no "
            "negative strides. Copy the array first: array.copy()."
        )
    stride = _element_strides("from_numpy", array)
    layout = Layout(array.shape, stride)
    reach = layout.reach
    length = 0 if reach is None else reach[1] + 1
    flat = np.lib.stride_tricks.as_strided(
        array, (length,), (array.itemsize,), writeable=array.flags.writeable
    )
    return layout, Storage.wrap(flat.view(np.uint8).data), dtype


def shared_dlpack(x: Any) -> tuple[Layout, Storage, DType]:
    """The layout of what an object offers by DLPack. Raises InteropError for what NumPy refuses."""
    try:
        array = np.from_dlpack(x)
    except (BufferError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise InteropError(f"from_dlpack: {error}. Only memory of the cpu can be shared.") from None
    return shared_numpy(array)


def to_numpy(layout: Layout, storage: Storage, dtype: DType) -> Any:
    """A NumPy array on the storage's own memory: writes are seen on both sides.

    The storage can no longer grow. Raises InteropError for bfloat16, which NumPy lacks.

    >>> x = sk.arange(6).view(2, 3)
    >>> to_numpy(x.layout, x.untyped_storage(), x.dtype).strides
    (24, 8)
    """
    if dtype.name == "bfloat16":
        raise InteropError("numpy(): NumPy has no bfloat16. Convert first: to(float32).")
    itemsize = dtype.itemsize
    kind = np.dtype(dtype.name)
    whole = np.frombuffer(storage.share()[: storage.nbytes() // itemsize * itemsize], kind)
    byte_strides = tuple(step * itemsize for step in layout.stride)
    if layout.numel == 0:
        return np.lib.stride_tricks.as_strided(whole[:0], layout.size, byte_strides)
    return np.ndarray(layout.size, kind, whole, layout.storage_offset * itemsize, byte_strides)


def _dtype_of(call: str, array: Any) -> DType:
    dtype = BY_NAME.get(array.dtype.name)
    if dtype is None:
        raise InteropError(
            f"{call}: arrays of dtype {array.dtype} have no counterpart here. "
            f"Convert first, with array.astype(...), to one of {', '.join(BY_NAME)}."
        )
    if not array.dtype.isnative:
        raise ByteOrderError(
            f"{call}: this array is in foreign byte order ({array.dtype.str}). Convert first: "
            "array.astype(array.dtype.newbyteorder('='))."
        )
    return dtype


def _element_strides(call: str, array: Any) -> tuple[int, ...]:
    for step in array.strides:
        if step % array.itemsize:
            raise InteropStrideError(
                f"{call}: byte_strides {array.strides} are not all multiples of the itemsize "
                f"{array.itemsize}, so no element stride says the same. Copy the array first: "
                "array.copy()."
            )
    return tuple(step // array.itemsize for step in array.strides)
