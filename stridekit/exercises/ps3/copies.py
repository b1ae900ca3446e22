"""What ps3 shares on copies of torch tensors: what is wrong with one, and its picture."""

import random
from dataclasses import replace
from math import prod
from typing import Any

from stridekit.checks.cases import tensor_data
from stridekit.checks.pictures import LONGEST, draw_tensors
from stridekit.checks.seam import Case, Outcome, TensorData
from stridekit.checks.tensor_results import no_tensor, other_kind
from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Ints, Layout

DTYPES = ("float32", "uint8", "bool", "int16")


def other_tensor(outcome: Outcome, given: TensorData) -> str | None:
    """What is wrong with the type, the dtype or the size of a result that is to equal `given`."""
    return no_tensor(outcome) or other_kind(outcome.value, given.dtype, given.size)


def is_copy(case: Case, values: bytes, outcome: Outcome) -> bool:
    """Whether a tensor came back that has the dtype, size and values of the one that was given."""
    given, result = case.arguments[0], outcome.value
    return (
        isinstance(result, TensorData)
        and other_tensor(outcome, given) is None
        and result.values() == values
    )


def draw_copy(case: Case, outcome: Outcome, expected: Ints | None) -> Diagram | None:
    """The tensor, its elements in the expected order on a storage of their own, and the result."""
    given: TensorData = case.arguments[0]
    if not prod(given.size):
        return None
    tensors = {"t": given}
    if expected is not None:
        tensors["expected"] = _copied(given, expected)
    yours = outcome.value
    if isinstance(yours, TensorData) and outcome.is_argument is None and _is_drawable(yours):
        same_memory = outcome.aliases is not None and yours.storage == given.storage
        tensors["yours"] = replace(yours, memory=0 if same_memory else 2)
    try:
        return draw_tensors([*tensors], tensors.values())
    except StridekitError:
        return draw_tensors(("t",), (given,))


def _is_drawable(data: TensorData) -> bool:
    reach = data.layout.reach
    if reach is None or len(data.storage) > 8 * LONGEST:
        return False
    try:
        itemsize = data.itemsize
    except StridekitError:
        return False
    return (reach[1] + 1) * itemsize <= len(data.storage)


def _copied(given: TensorData, stride: Ints) -> TensorData:
    """The same elements under other strides, on a storage of their own."""
    itemsize = given.itemsize
    storage = bytearray(prod(given.size) * itemsize)
    values = given.values()
    for number, position in enumerate(Layout(given.size, stride).positions()):
        element = values[number * itemsize : (number + 1) * itemsize]
        storage[position * itemsize : (position + 1) * itemsize] = element
    return TensorData("torch", given.dtype, given.size, stride, 0, bytes(storage), memory=1)


def made(tensor: Any, **how: Any) -> Any:
    """A new torch tensor of that size and dtype."""
    import torch

    return torch.empty(tuple(tensor.size()), dtype=tensor.dtype, **how)


def of_any_dtype(layout: Layout, chance: random.Random) -> TensorData:
    """A tensor of int64 as a rule."""
    return tensor_data(layout, dtype=chance.choice(("int64",) * 6 + DTYPES))


def imitates(tensor: Any) -> Any:
    """A mistake: a copy in the order that the tensor has."""
    import torch

    return torch.empty_like(tensor).copy_(tensor)


def copies(tensor: Any) -> Any:
    """A mistake: a row-major copy, whatever the tensor."""
    return made(tensor).copy_(tensor)


def never_copies(tensor: Any) -> Any:
    """A mistake: the tensor as it is."""
    return tensor
