"""Memory that torch and NumPy cannot share.

Each takes the operation and the message of the refusal, and gives the reason; or None where
headers do not bear it out. Raises Unknown where a tensor cannot be found.
"""

import numpy as np
import torch

from stridekit.own_code.operations import Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdict_parts import drawn


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
