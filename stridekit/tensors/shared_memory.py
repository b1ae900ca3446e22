"""Tensors on memory that somebody else owns: shared, not copied."""

from typing import Any

from stridekit.errors import BufferExportError, CapsuleError, needing
from stridekit.tensors.constructors import AnyDType, tensor, whole_tensor
from stridekit.tensors.inputs import require_plain
from stridekit.tensors.tensor import Tensor


def from_numpy(array: Any) -> Tensor:
    """A tensor on the array's own memory: writes are seen on both sides.

    Sizes are the array's, strides its byte_strides divided by its itemsize. Refuses what
    torch.from_numpy refuses: negative byte_strides (InteropStrideError), byte_strides that are
    no multiple of the itemsize (InteropStrideError), foreign byte order (ByteOrderError) and
    dtypes that torch does not have (InteropError). A read-only array stays read-only.

    >>> import numpy as np
    >>> grid = np.arange(6).reshape(2, 3)
    >>> shared = from_numpy(grid)
    >>> grid[0, 1] = 100
    >>> shared.tolist()
    [[0, 100, 2], [3, 4, 5]]
    """
    with needing("from_numpy", "numpy"):
        from stridekit.tensors.interop.numpy import shared_numpy

    return Tensor(*shared_numpy(array))


def from_torch(x: Any) -> Tensor:
    """A tensor on the torch tensor's whole storage: writes are seen on both sides.

    The header is the same, storage_offset included. As with `x.numpy()`, the torch storage
    can no longer be resized, so the memory stays where it is.
    Raises InteropError for what has no such memory: other devices, sparse, quantised or
    requires_grad tensors, and dtypes that stridekit does not have.

    >>> import torch
    >>> grid = torch.arange(6).view(2, 3)
    >>> shared = from_torch(grid.t())
    >>> shared.stride()
    (1, 3)
    >>> _ = grid.fill_(7)
    >>> shared[0].tolist()
    [7, 7]
    """
    with needing("from_torch", "torch"):
        from stridekit.tensors.interop.torch import shared_torch

    return Tensor(*shared_torch(x))


def as_tensor(data: Any, dtype: AnyDType = None, **options: Any) -> Tensor:
    """A stridekit tensor, NumPy array or torch tensor on its own memory; lists are copied.

    A dtype that differs makes a copy, too.

    >>> import numpy as np
    >>> array = np.zeros(2)
    >>> shared = as_tensor(array)
    >>> array[0] = 5
    >>> shared.tolist()
    [5.0, 0.0]
    """
    require_plain("as_tensor", options)
    _require_no_history("as_tensor", data)
    shared = whole_tensor(data)
    return tensor(data, dtype) if shared is None else shared.to(dtype)


def from_dlpack(x: Any) -> Tensor:
    """A tensor on the memory that an object offers by DLPack: writes are seen on both sides.

    Raises CapsuleError for what offers none, InteropError for what cannot be shared here.

    >>> import numpy as np
    >>> from_dlpack(np.arange(3)).tolist()
    [0, 1, 2]
    """
    _require_no_history("from_dlpack", x)
    shared = whole_tensor(x)
    if shared is not None:
        return shared
    if not hasattr(x, "__dlpack__"):
        raise CapsuleError(f"from_dlpack: a {type(x).__name__} offers no memory by DLPack.")
    with needing("from_dlpack", "numpy"):
        from stridekit.tensors.interop.numpy import shared_dlpack

    return Tensor(*shared_dlpack(x))


def _require_no_history(call: str, x: Any) -> None:
    """Refuse a torch tensor that requires grad: autograd would not see what is written here."""
    if getattr(x, "requires_grad", False) is True:
        raise BufferExportError(
            f"{call}: this torch tensor requires grad, and autograd would not see what is written "
            "here. Give x.detach()."
        )
