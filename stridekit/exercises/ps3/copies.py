"""What ps3 shares on copies of torch tensors: what is wrong with one, and its picture."""

import random
import struct
from dataclasses import replace
from math import prod
from typing import Any

from stridekit.checks.cases import tensor_data
from stridekit.checks.exercise import raised
from stridekit.checks.pictures import LONGEST, draw_tensors
from stridekit.checks.returns import shown
from stridekit.checks.seam import Case, Outcome, TensorData
from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import as_dtype

DTYPES = ("float32", "uint8", "bool", "int16")


def other_values(given: TensorData, result: TensorData) -> str | None:
    """Which element is not what it has to be, where two tensors should hold the same."""
    if result.values() == given.values():
        return None
    code = as_dtype(given.dtype).code
    count = prod(given.size)
    theirs = struct.unpack(f"={count}{code}", result.values())
    expected = struct.unpack(f"={count}{code}", given.values())
    where = next(i for i, (a, b) in enumerate(zip(theirs, expected, strict=True)) if a != b)
    index = _index_of(where, given.size)
    return f"returned {theirs[where]} at index {index}; expected {expected[where]}."


def _index_of(flat: int, size: Ints) -> Ints:
    index = []
    for n in reversed(size):
        flat, i = divmod(flat, n)
        index.append(i)
    return tuple(reversed(index))


def other_tensor(given: TensorData, outcome: Outcome) -> str | None:
    """What is wrong with the type, the dtype or the size of a result that is to equal `given`."""
    result = outcome.value
    if outcome.kind == "raised":
        return f"{raised(outcome)}; expected a tensor."
    if result is None:
        return "returned None. Return a torch tensor. Is a `return` missing?"
    if not isinstance(result, TensorData):
        return f"returned {shown(result)}. Return a torch tensor."
    if result.dtype != given.dtype:
        return f"returned dtype {result.dtype}; expected {given.dtype}."
    if result.size != given.size:
        return f"returned size {result.size}; expected {given.size}."
    return None


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
        itemsize = as_dtype(data.dtype).itemsize
    except StridekitError:
        return False
    return (reach[1] + 1) * itemsize <= len(data.storage)


def _copied(given: TensorData, stride: Ints) -> TensorData:
    """The same elements under other strides, on a storage of their own."""
    itemsize = as_dtype(given.dtype).itemsize
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
