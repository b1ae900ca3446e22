"""The subject that a tensor of any library is: what can be explained or drawn of it."""

import sys
from collections.abc import Sequence

from stridekit.errors import ArgumentError, StorageError
from stridekit.tensors.interop import Subject
from stridekit.tensors.tensor import Tensor


def subject_of(call: str, x: object) -> Subject:
    """The subject that a stridekit, torch or NumPy tensor is. Raises ArgumentError.

    >>> subject_of("draw", sk.arange(6).view(2, 3)).layout.stride
    (3, 1)
    """
    if isinstance(x, Subject):
        return x
    if isinstance(x, Tensor):
        return _own(call, x)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        from stridekit.tensors.interop.torch import subject_of_torch

        return subject_of_torch(call, x)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        from stridekit.tensors.interop.numpy import subject_of_numpy

        return subject_of_numpy(call, x)
    raise ArgumentError(
        f"{call}: an object of type {type(x).__name__} has no size and stride. Give a stridekit "
        "tensor, a torch tensor or a NumPy array."
    )


def _own(call: str, x: Tensor) -> Subject:
    storage, dtype = x.untyped_storage(), x.dtype
    itemsize = dtype.itemsize
    try:
        length = storage.nbytes() // itemsize
    except ValueError:
        raise StorageError(
            f"{call}: this tensor's storage is closed: its memory has been released. Make a new "
            "tensor."
        ) from None

    def unwritten(positions: Sequence[int]) -> frozenset[int]:
        if storage.is_written(0, storage.nbytes()):
            return frozenset()
        return frozenset(
            position
            for position in positions
            if not storage.is_written(position * itemsize, itemsize)
        )

    return Subject(
        library="stridekit",
        layout=x.layout,
        dtype=dtype.name,
        itemsize=itemsize,
        storage_length=length,
        storage_address=storage.data_ptr() or id(storage),
        base=x.layout if x.base is None else x.base.layout,
        read=lambda positions: dtype.unpack(storage.gather_at(positions, itemsize)),
        read_bytes=lambda positions: bytes(storage.gather_at(positions, 1)),
        unwritten=unwritten,
        may_grow=storage.resizable,
    )
