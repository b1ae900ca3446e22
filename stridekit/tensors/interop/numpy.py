"""NumPy arrays: the same memory as a stridekit tensor, and headers read off arrays.

NumPy counts strides in bytes and allows negative ones. Here, and only here, they are called
byte_strides.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stridekit.errors import ArgumentError, ByteOrderError, InteropError, InteropStrideError
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import BY_NAME, DType, Number
from stridekit.tensors.interop import Subject
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


def subject_of_numpy(call: str, array: Any) -> Subject:
    """The header of an array. Its storage is the memory of the array that owns it."""
    dtype = _dtype_of(call, array)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    memory = _memory_of(owner)
    address = (memory if memory.size else owner).__array_interface__["data"][0]
    ahead = array.__array_interface__["data"][0] - address if array.size else 0
    if ahead % array.itemsize:
        raise InteropError(
            f"{call}: this array starts {ahead} bytes into its memory, which is no whole number "
            f"of {dtype.name} elements. Copy it first: array.copy()."
        )
    length = memory.size // array.itemsize
    layout = Layout(array.shape, _element_strides(call, array), ahead // array.itemsize)
    base = layout
    if owner is not array and owner.dtype == array.dtype and min(owner.strides, default=0) >= 0:
        base = Layout(owner.shape, _element_strides(call, owner))

    def read(positions: Sequence[int]) -> list[Number]:
        flat = memory[: length * array.itemsize].view(array.dtype)
        values: list[Number] = flat[np.asarray(positions, dtype=np.intp)].tolist()
        return values

    return Subject(
        library="numpy",
        layout=layout,
        dtype=dtype.name,
        itemsize=array.itemsize,
        storage_length=length,
        storage_address=address,
        base=base,
        read=read,
        read_bytes=lambda places: memory[np.asarray(places, dtype=np.intp)].tobytes(),
    )


def _memory_of(owner: Any) -> Any:
    """The bytes of an array from its lowest to its highest address, as a flat uint8 array."""
    if owner.size == 0:
        return np.empty(0, np.uint8)
    low, high = np.lib.array_utils.byte_bounds(owner)
    # The dots keep an array of rank 0 an array: its [()] is a number, in other memory.
    lowest = owner[
        (
            ...,
            *(
                slice(n - 1, n) if step < 0 else slice(0, 1)
                for n, step in zip(owner.shape, owner.strides, strict=True)
            ),
        )
    ]
    return np.lib.stride_tricks.as_strided(
        lowest.reshape(1).view(np.uint8), (high - low,), (1,), writeable=False
    )


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
