"""The edges: NumPy and torch, zero-copy in and out, and headers read off their tensors.

Nothing here imports NumPy or torch by itself. A tensor of theirs can only exist when its
library is loaded already.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stridekit.dtypes import Number
from stridekit.errors import ArgumentError, StorageError
from stridekit.layout import Layout
from stridekit.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be explained or drawn: a header, facts about its storage, and a way to read it.

    `base` is the layout of the tensor that this one is a view of, or its own. Positions count
    elements from the start of the storage, which holds `storage_length` of them. An empty storage
    has no address; `storage_address` is then a number of its own, which tells whether two tensors
    share it. `read` gives the values at some positions inside the storage, `read_bytes` some of
    its bytes; they copy nothing else, so that their cost follows what is asked, never the size.
    `unwritten` says which of some positions nobody has initialised; only stridekit's own storages
    can tell. `may_grow` says whether resize_ may make the storage longer.
    """

    library: str
    layout: Layout
    dtype: str
    itemsize: int
    storage_length: int
    storage_address: int
    base: Layout
    read: Callable[[Sequence[int]], list[Number]]
    read_bytes: Callable[[Sequence[int]], bytes]
    unwritten: Callable[[Sequence[int]], frozenset[int]] = lambda _: frozenset()
    may_grow: bool = False


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
        from stridekit.interop.torch import subject_of_torch

        return subject_of_torch(call, x)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        from stridekit.interop.numpy import subject_of_numpy

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
