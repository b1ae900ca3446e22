"""Writes that memory forbids: elements that overlap, and memory that is read-only.

Each takes the operation and the message of the refusal, and gives the reason; or None where
headers do not bear it out. Raises Unknown where a tensor cannot be found.
"""

import numpy as np
import torch

from stridekit.own_code.operations import Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.verdict_parts import drawn, layout_of


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
