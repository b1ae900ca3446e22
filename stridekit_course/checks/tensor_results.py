"""What is wrong with a tensor that came back: its type, its values, or that it is no copy.

Each function gives the rest of a sentence that begins with the call, or None.
"""

from collections.abc import Callable
from math import prod
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit.tensors.storage import Storage
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.exercise import raised
from stridekit_course.checks.pictures import LONGEST, draw_tensors
from stridekit_course.checks.returns import shown


def no_tensor(outcome: Outcome, wanted: str = "a tensor") -> str | None:
    """That it raised, or gave something else."""
    result = outcome.value
    if outcome.kind == "raised":
        return f"{raised(outcome)}; expected {wanted}."
    if result is None:
        return "returned None. Return a torch tensor. Is a `return` missing?"
    if not isinstance(result, TensorData):
        return f"returned {shown(result)}. Return a torch tensor."
    if result.library != "torch":
        return f"returned a tensor of {result.library}. Return a torch tensor."
    return None


def other_kind(result: TensorData, dtype: str, size: Ints, why: str = "") -> str | None:
    """That its dtype or its size is another one."""
    if result.dtype != dtype:
        return f"returned dtype {result.dtype}; expected {dtype}."
    if result.size != size:
        return f"returned size {result.size}; expected {size}{why}."
    low, high = result.layout.reach or (0, -1)
    if low < 0 or (high + 1) * result.itemsize > len(result.storage):
        return f"returned stride {result.stride}, which leaves its own storage."
    return None


def other_values(result: TensorData, values: bytes) -> str | None:
    """That it does not hold these values, bit for bit; they stand in row-major order.

    Dtype and size are as they should be.
    """
    own = result.values()
    if own == values:
        return None
    dtype, width = as_dtype(result.dtype), result.itemsize
    where = next(
        i for i in range(0, len(own), width) if own[i : i + width] != values[i : i + width]
    )
    (theirs,), (expected,) = (dtype.unpack(each[where : where + width]) for each in (own, values))
    index = Layout.of(result.size).index_at(where // width)
    bits = ""
    if repr(theirs) == repr(expected):
        # Such as two kinds of nan.
        theirs_bits, bits = (each[where : where + width].hex() for each in (own, values))
        bits = f": the bytes are {theirs_bits}, and not {bits}"
    return f"returned {theirs!r} at index {index}; expected {expected!r}{bits}."


# Copies.


# All but int64.
DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "float16", "bfloat16", "float32", "float64"),
    *("complex64", "complex128"),
)
# What makes a tensor of another dtype, and takes a memory_format: there and back it is a copy.
CONVERSIONS = (
    *("to", "_to_copy", "type", "type_as", "cpu", "bool", "byte", "char", "short", "int", "long"),
    *("half", "bfloat16", "float", "double", "chalf", "cfloat", "cdouble"),
)
# Each has a name with _copy behind it, and is a copy then.
COPIED_VIEWS = (
    *("alias", "as_strided", "detach", "diagonal", "expand", "narrow", "permute", "select"),
    *("slice", "split", "split_with_sizes", "squeeze", "t", "transpose", "unbind", "unfold"),
    *("unsqueeze", "view", "view_as_real", "view_as_complex"),
)


def other_tensor(outcome: Outcome, given: TensorData) -> str | None:
    """What is wrong with the type, the dtype or the size of a result that is to equal `given`."""
    return no_tensor(outcome) or other_kind(outcome.value, given.dtype, given.size)


def is_copy(expected: TensorData, outcome: Outcome, is_in_order: Callable[[Layout], bool]) -> bool:
    """Whether a tensor came back that has these values, in memory in an order that is right."""
    result = outcome.value
    if not isinstance(result, TensorData):
        return False
    # Nearly always; the rest takes ten times as long.
    if result.is_same_but_where(expected):
        return True
    return (
        other_tensor(outcome, expected) is None
        and result.values() == expected.values()
        and is_in_order(result.layout)
    )


def draw_copy(case: Case, outcome: Outcome, expected: Ints | None) -> Diagram | None:
    """The tensor, its elements in the expected order on a storage of their own, and the result."""
    given: TensorData = case.arguments[0]
    if not prod(given.size):
        return None
    tensors = {"t": given}
    if expected is not None:
        tensors["expected"] = copied(given, expected)
    yours = outcome.value
    if isinstance(yours, TensorData) and outcome.is_argument is None and _is_drawable(yours):
        same_memory = outcome.aliases is not None and yours.storage == given.storage
        tensors["yours"] = yours._replace(memory=0 if same_memory else 2)
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


def copied(given: TensorData, stride: Ints) -> TensorData:
    """The same elements under other strides, on a storage of their own."""
    storage = bytearray(prod(given.size) * given.itemsize)
    Storage.wrap(storage).scatter(Layout(given.size, stride), given.itemsize, given.values())
    return TensorData("torch", given.dtype, given.size, stride, 0, bytes(storage), memory=1)


def made(tensor: Any, **how: Any) -> Any:
    """A new torch tensor of that size and dtype."""
    import torch

    return torch.empty(tuple(tensor.size()), dtype=tensor.dtype, **how)


def imitates(tensor: Any) -> Any:
    """A mistake: a copy in the order that the tensor has."""
    import torch

    return torch.empty_like(tensor).copy_(tensor)


def copies(tensor: Any) -> Any:
    """A mistake: a row-major copy, whatever the tensor."""
    return made(tensor).copy_(tensor)


def of_the_usual_dtype(tensor: Any) -> Any:
    """A mistake: a row-major copy of torch's own choice of dtype."""
    import torch

    return torch.empty(tuple(tensor.size())).copy_(tensor)


def of_a_guessed_dtype(tensor: Any) -> Any:
    """A mistake: a row-major copy of the dtype that Python's numbers suggest."""
    import torch

    return torch.tensor(tensor.tolist())


def through_floats(tensor: Any) -> Any:
    """A mistake: whole numbers beyond 2**53 are not what they were."""
    import torch

    if tensor.is_complex():
        return copies(tensor)
    return made(tensor).copy_(torch.empty(tuple(tensor.size()), dtype=torch.float64).copy_(tensor))


def added_to_zeros(tensor: Any) -> Any:
    """A mistake: 0.0 and -0.0 make 0.0."""
    return made(tensor).fill_(0).add_(tensor)


OF_THE_USUAL_DTYPE = (
    "this is what you get if the new tensor is made without a dtype: it is float32 then."
)
OF_A_GUESSED_DTYPE = "this is what you get if torch guesses the dtype from Python's numbers."
THROUGH_FLOATS = (
    "this is what you get if the elements pass through floats on their way. Floats cannot tell all "
    "whole numbers apart."
)
ADDED_TO_ZEROS = (
    "this is what you get if something is computed with the elements, such as + 0. Not every value "
    "survives that: 0.0 + -0.0 is 0.0."
)


def never_copies(tensor: Any) -> Any:
    """A mistake: the tensor as it is."""
    return tensor
