"""Assignment ps3: copies of torch tensors in a given order of memory."""

import random
import struct
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts, tensor_data
from stridekit.checks.exercise import Arguments, Exercise, Mistake, raised, weigh_arguments
from stridekit.checks.pictures import LONGEST, draw_tensors
from stridekit.checks.returns import shown
from stridekit.checks.rules import without
from stridekit.checks.seam import Case, Outcome, TensorData
from stridekit.diagrams import Diagram
from stridekit.errors import StridekitError
from stridekit.exercises.ps3_walk import random_walks, repeats
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
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


def _made(tensor: Any, **how: Any) -> Any:
    import torch

    return torch.empty(tuple(tensor.size()), dtype=tensor.dtype, **how)


# contiguous


def _contiguous_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in small_layouts(2, (0, 1, 2, 3, 5)):
        yield (tensor_data(layout),)
    if hidden:
        for layout in small_layouts(3, (0, 1, 2, 6)):
            yield (tensor_data(layout),)
    for dtype in DTYPES:
        for size, stride in (((2,), (1,)), ((2, 2), (1, 2)), ((3,), (2,)), ((2, 3), (0, 1))):
            yield (tensor_data(Layout(size, stride), dtype=dtype),)
    for layout in random_layouts(500 if hidden else 120, chance):
        yield (of_any_dtype(layout, chance),)
    for header in random_walks(300 if hidden else 60, chance):
        yield (of_any_dtype(Layout(*header, chance.choice((0, 2))), chance),)


def of_any_dtype(layout: Layout, chance: random.Random) -> TensorData:
    """A tensor of int64 as a rule."""
    return tensor_data(layout, dtype=chance.choice(("int64",) * 6 + DTYPES))


def _contiguous_complaint(case: Case, outcome: Outcome) -> str | None:
    given: TensorData = case.arguments[0]
    if given.layout.is_contiguous:
        if outcome.is_argument == 0:
            return None
        if isinstance(outcome.value, TensorData):
            return "returned another tensor; expected t itself, which is contiguous already."
    problem = other_tensor(given, outcome)
    if problem:
        return problem
    result = outcome.value
    if outcome.aliases is not None:
        what = "t itself" if outcome.is_argument == 0 else "a view of t"
        return (
            f"returned {what}, of stride {result.stride}; expected a copy in row-major order, on "
            "a storage of its own."
        )
    if not result.layout.is_contiguous:
        return (
            f"returned stride {result.stride}, which is not contiguous; expected "
            f"{contiguous_stride(given.size)}."
        )
    return other_values(given, result)


def _contiguous_rule(tensor: TensorData) -> str:
    size, stride = tensor.size, tensor.stride
    if tensor.layout.is_contiguous:
        return (
            f"stride {stride} is contiguous for size {size} already, and then t itself is "
            "returned: the very same object."
        )
    return (
        f"stride {stride} is not contiguous for size {size}. The copy holds t's elements in t's "
        f"reading order, one position after another: stride {contiguous_stride(size)}."
    )


def _weigh(case: Case) -> tuple[Any, ...]:
    """Smallest first, and of the same number of elements those without repeated ones first."""
    none, count, *rest = weigh_arguments(case)
    return none, count, repeats(case), *rest


def _or_itself(copy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(tensor: Any) -> Any:
        return tensor if tensor.is_contiguous() else copy(tensor)

    return function


def _copies_storage(tensor: Any) -> Any:
    out = _made(tensor)
    out.view(-1)[:] = tensor.as_strided((tensor.numel(),), (1,), 0)
    return out


def _lists_storage(tensor: Any) -> Any:
    """Reads the storage from its beginning, again and again if it is too short."""
    length = tensor.untyped_storage().nbytes() // tensor.element_size()
    stored = tensor.as_strided((length,), (1,), 0)
    out = _made(tensor)
    flat = out.view(-1)
    for i in range(tensor.numel()):
        flat[i] = stored[i % length]
    return out


def imitates(tensor: Any) -> Any:
    """A mistake: a copy in the order that the tensor has."""
    import torch

    return torch.empty_like(tensor).copy_(tensor)


def _rewrites_strides(tensor: Any) -> Any:
    return tensor.as_strided(tensor.size(), contiguous_stride(tuple(tensor.size())))


def copies(tensor: Any) -> Any:
    """A mistake: a row-major copy, whatever the tensor."""
    return _made(tensor).copy_(tensor)


def never_copies(tensor: Any) -> Any:
    """A mistake: the tensor as it is."""
    return tensor


_STORAGE_ORDER = (
    "this is what you get if the elements are copied in storage order. Copy them in the order of "
    "t's indices."
)

CONTIGUOUS = Exercise(
    name="contiguous",
    parameters=("t",),
    cases=_contiguous_cases,
    complaint=_contiguous_complaint,
    rule=_contiguous_rule,
    rules=without(
        "contiguous has to do its own copying: that call would do the exercise.",
        *("contiguous", "clone", "reshape", "reshape_as", "flatten", "ravel"),
        # These copy in row-major order too, in one call.
        *("to", "repeat", "tile", "cat", "concat", "concatenate", "ascontiguousarray"),
    ),
    picture=lambda case, outcome: draw_copy(
        case,
        outcome,
        None
        if case.arguments[0].layout.is_contiguous
        else contiguous_stride(case.arguments[0].size),
    ),
    weigh=_weigh,
    mistakes=(
        Mistake(_or_itself(_copies_storage), _STORAGE_ORDER),
        Mistake(_or_itself(_lists_storage), _STORAGE_ORDER),
        Mistake(
            _or_itself(imitates),
            "this is what you get with empty_like: it imitates the old strides. empty of the "
            "same size is row-major.",
        ),
        Mistake(imitates, "this is what you get if a contiguous tensor is copied too."),
        Mistake(copies, "this is what you get if a contiguous tensor is copied too."),
        Mistake(
            _or_itself(_rewrites_strides),
            "this is what you get if only the strides are changed. That moves no element: the "
            "same memory is read in another way.",
        ),
        Mistake(never_copies, "this is what you get if nothing is ever copied."),
    ),
)
