"""The edges: NumPy and torch, zero-copy in and out, and headers read off their tensors.

Nothing here imports NumPy or torch by itself. A tensor of theirs can only exist when its
library is loaded already.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stridekit.dtypes import Number
from stridekit.errors import ArgumentError
from stridekit.layout import Layout
from stridekit.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be explained or drawn: a header, facts about its storage, and a way to read it.

    `base` is the layout of the tensor that this one is a view of, or its own. Positions count
    elements from the start of the storage. `read` gives the values at some positions and
    copies nothing else, so that its cost follows what is asked, never the size.
    """

    library: str
    layout: Layout
    dtype: str
    itemsize: int
    storage_length: int
    storage_address: int
    base: Layout
    read: Callable[[Sequence[int]], list[Number]]


def subject_of(call: str, x: object) -> Subject:
    """The subject that a stridekit, torch or NumPy tensor is. Raises ArgumentError.

    >>> subject_of("draw", sk.arange(6).view(2, 3)).layout.stride
    (3, 1)
    """
    if isinstance(x, Subject):
        return x
    if isinstance(x, Tensor):
        return _own(x)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        from stridekit.interop.torch import subject_of_torch

        return subject_of_torch(call, x)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        from stridekit.interop.numpy import subject_of_numpy

        return subject_of_numpy(call, x)
    raise ArgumentError(
        f"{call}: a {type(x).__name__} has no size and stride. Give a stridekit tensor, a torch "
        "tensor or a NumPy array."
    )


def _own(x: Tensor) -> Subject:
    storage, dtype = x.untyped_storage(), x.dtype
    return Subject(
        library="stridekit",
        layout=x.layout,
        dtype=dtype.name,
        itemsize=dtype.itemsize,
        storage_length=storage.nbytes() // dtype.itemsize,
        storage_address=storage.data_ptr(),
        base=x.layout if x.base is None else x.base.layout,
        read=lambda positions: [storage.read(dtype, position) for position in positions],
    )
