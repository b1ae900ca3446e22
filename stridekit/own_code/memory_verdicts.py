"""Memory that is not written to, and memory that torch and NumPy cannot share.

Each takes the operation and the message of the refusal, and gives the reason; or None where
headers do not bear it out. Raises Unknown where a tensor cannot be found.
"""

import numpy as np
import torch

from stridekit.own_code.operations import Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdict_parts import drawn, layout_of


def to_numpy_refused(operation: Operation, message: str) -> Reason | None:
    """Why `numpy()` cannot share a tensor's memory (torch/csrc/utils/tensor_numpy.cpp)."""
    if operation.name not in ("numpy", "asarray", "array", "from_numpy", "ascontiguousarray"):
        return None
    x = operation.receiver or operation.args[0]
    if not isinstance(x.value, torch.Tensor):
        raise Unknown(x.text)
    name = x.name
    start = f"numpy() would give an array on the memory of {name}, and "
    if "requires grad" in message:
        sentence = (
            f"{start}{name} requires grad: what is written through the array, autograd would not "
            f"see. {x.then('detach().numpy()')} is the same memory, without a history."
        )
    elif "conjugate" in message:
        sentence = (
            f"{start}{name} is a lazy conjugate: its memory holds other values than it shows, and "
            f"the signs would be lost. {x.then('resolve_conj().numpy()')} writes them out first."
        )
    elif "negative bit" in message:
        sentence = (
            f"{start}{name} is a lazy negative: its memory holds other signs than it shows. "
            f"{x.then('resolve_neg().numpy()')} writes them out first."
        )
    elif "ScalarType" in message:
        dtype = str(x.value.dtype).removeprefix("torch.")
        sentence = (
            f"{start}NumPy has no {dtype}, so nothing there could read those bytes. "
            f"{x.then('float().numpy()')} converts first, which is a copy."
        )
    elif x.value.device.type == "meta" and "meta" in message:
        sentence = f"{start}a meta tensor is a header without memory: there is nothing to share."
    else:
        sentence = (
            f"{start}that memory does not lie where NumPy can read it. "
            f"{x.then('cpu().numpy()')} copies it there first."
        )
    return drawn(operation, sentence, None, x)


def from_numpy_refused(operation: Operation, _: str) -> Reason | None:
    """Why `from_numpy` cannot share an array's memory (torch/csrc/utils/tensor_numpy.cpp)."""
    arrays = [t for t in operation.operands if type(t.value) is np.ndarray]
    if operation.name not in ("from_numpy", "as_tensor", "tensor") or len(arrays) != 1:
        return None
    (x,) = arrays
    array = x.value
    if min(array.strides, default=0) < 0:
        dim = next(d for d, step in enumerate(array.strides) if step < 0)
        sentence = (
            f"{x.name} has byte_strides {array.strides}: along dim {dim} it goes backwards "
            "through memory, and torch has no negative strides, so no header says the same. "
            f"{x.then('copy()')} writes the elements in their new order first."
        )
    elif any(step % array.itemsize for step in array.strides):
        sentence = (
            f"{x.name} has byte_strides {array.strides}, which are no multiples of its itemsize "
            f"{array.itemsize}, and torch counts strides in elements. {x.then('copy()')} first."
        )
    elif not array.dtype.isnative:
        native = f"astype('{array.dtype.str[1:]}')"
        sentence = (
            f"{x.name} is of dtype {array.dtype.str}: its bytes are in the order of another "
            f"machine. {x.then(native)} turns them round."
        )
    else:
        return None
    return drawn(operation, sentence, None, x)


def overlap_refused(operation: Operation, _: str) -> Reason | None:
    """Why a tensor whose elements share memory is not written to (ATen/MemoryOverlap.cpp)."""
    target = operation.kwargs.get("out") or operation.receiver
    if target is None or not target.is_tensor:
        raise Unknown(operation.text)
    layout = layout_of(target)
    zeros = [
        d
        for d, (n, s) in enumerate(zip(layout.size, layout.stride, strict=True))
        if n > 1 and s == 0
    ]
    if not layout.has_overlap:
        return None
    because = (
        f"dim {zeros[0]} has size {layout.size[zeros[0]]} and stride 0, so its elements are one "
        "element in memory"
        if zeros
        else "several of its indices lead to one position"
    )
    sentence = (
        f"{operation.text} writes to {target.name}, of size {layout.size}, stride "
        f"{layout.stride}: {because}, and it cannot take several values. "
        f"{target.then('clone()')} has a place for each, and can be written to."
    )
    return drawn(operation, sentence, None, target)


def half_overlap_refused(operation: Operation, _: str) -> Reason | None:
    """Why a tensor is not written to while a shifted view of it is read."""
    target = operation.kwargs.get("out") or operation.receiver
    if target is None or not target.is_tensor or not isinstance(target.value, torch.Tensor):
        raise Unknown(operation.text)
    storage = target.value.untyped_storage()._cdata
    others = [
        t
        for t in operation.tensors
        if t is not target
        and isinstance(t.value, torch.Tensor)
        and t.value.untyped_storage()._cdata == storage
    ]
    if not others:
        raise Unknown(operation.text)
    source = others[0]
    sentence = (
        f"{operation.text} reads {source.name} and writes to {target.name}, and the two share some "
        "of their memory, shifted: what is written here would be read there. "
        f"Read from a copy: {source.then('clone()')}."
    )
    return drawn(operation, sentence, None, target, source)


def read_only_refused(operation: Operation, _: str) -> Reason | None:
    """Why an array is read-only."""
    target = operation.kwargs.get("out") or operation.receiver
    if target is None or type(target.value) is not np.ndarray:
        raise Unknown(operation.text)
    array = target.value
    if array.flags.writeable:
        return None
    if array.size and 0 in [s for n, s in zip(array.shape, array.strides, strict=True) if n > 1]:
        because = (
            f"its byte_strides are {array.strides}, and a stride of 0 repeats one element. "
            "NumPy makes what broadcast_to gives read-only"
        )
    elif array.base is not None:
        because = "it is a view of memory whose owner made it read-only"
    else:
        because = "its flag writeable is off"
    sentence = (
        f"{target.name} cannot be written to: {because}. {target.then('copy()')} has memory of "
        "its own."
    )
    return drawn(operation, sentence, None, target)
