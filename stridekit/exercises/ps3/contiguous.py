"""ps3, `contiguous`: a tensor itself, or its copy in row-major order."""

import random
from collections.abc import Callable, Iterable
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts, tensor_data
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.rules import without
from stridekit.checks.seam import Case, Outcome, TensorData
from stridekit.checks.tensor_results import other_values
from stridekit.checks.weights import weigh_arguments
from stridekit.exercises.ps3.copies import (
    DTYPES,
    copies,
    draw_copy,
    imitates,
    is_copy,
    made,
    never_copies,
    of_any_dtype,
    other_tensor,
)
from stridekit.exercises.ps3.walks import random_walks, repeats
from stridekit.layouts.layout import Layout, contiguous_stride

draft = Draft(
    "contiguous",
    ("t",),
    place=6,
    rules=without(
        "contiguous has to do its own copying: that call would do the exercise.",
        *("contiguous", "clone", "reshape", "reshape_as", "flatten", "ravel"),
        # These copy in row-major order too, in one call.
        *("to", "repeat", "tile", "cat", "concat", "concatenate", "ascontiguousarray"),
    ),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


@draft.complaint
def _complaint(case: Case, outcome: Outcome) -> str | None:
    given: TensorData = case.arguments[0]
    if given.layout.is_contiguous:
        if outcome.is_argument == 0:
            return None
        if isinstance(outcome.value, TensorData):
            return "returned another tensor; expected t itself, which is contiguous already."
    problem = other_tensor(outcome, given)
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
    return other_values(result, given.values())


@draft.expect
def _expect(case: Case) -> bytes | None:
    (given,) = case.arguments
    return None if given.layout.is_contiguous else given.values()


@draft.is_right
def _is_right(case: Case, values: bytes | None, outcome: Outcome) -> bool:
    if values is None:
        return outcome.is_argument == 0
    is_apart = outcome.aliases is None and is_copy(case, values, outcome)
    return is_apart and bool(outcome.value.layout.is_contiguous)


@draft.rule
def _rule(tensor: TensorData) -> str:
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


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """Smallest first, and of the same number of elements those without repeated ones first."""
    none, count, *rest = weigh_arguments(case)
    return none, count, repeats(case), *rest


def _or_itself(copy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(tensor: Any) -> Any:
        return tensor if tensor.is_contiguous() else copy(tensor)

    return function


def _copies_storage(tensor: Any) -> Any:
    out = made(tensor)
    out.view(-1)[:] = tensor.as_strided((tensor.numel(),), (1,), 0)
    return out


def _lists_storage(tensor: Any) -> Any:
    """Reads the storage from its beginning, again and again if it is too short."""
    length = tensor.untyped_storage().nbytes() // tensor.element_size()
    stored = tensor.as_strided((length,), (1,), 0)
    out = made(tensor)
    flat = out.view(-1)
    for i in range(tensor.numel()):
        flat[i] = stored[i % length]
    return out


def _rewrites_strides(tensor: Any) -> Any:
    return tensor.as_strided(tensor.size(), contiguous_stride(tuple(tensor.size())))


_STORAGE_ORDER = (
    "this is what you get if the elements are copied in storage order. Copy them in the order of "
    "t's indices."
)
draft.picture(
    lambda case, outcome: draw_copy(
        case,
        outcome,
        None
        if case.arguments[0].layout.is_contiguous
        else contiguous_stride(case.arguments[0].size),
    )
)
draft.mistake(
    _STORAGE_ORDER,
    _or_itself(_copies_storage),
)
draft.mistake(
    _STORAGE_ORDER,
    _or_itself(_lists_storage),
)
draft.mistake(
    "this is what you get with empty_like: it imitates the old strides. empty of the "
    "same size is row-major.",
    _or_itself(imitates),
)
draft.mistake(
    "this is what you get if a contiguous tensor is copied too.",
    imitates,
)
draft.mistake(
    "this is what you get if a contiguous tensor is copied too.",
    copies,
)
draft.mistake(
    "this is what you get if only the strides are changed. That moves no element: the "
    "same memory is read in another way.",
    _or_itself(_rewrites_strides),
)
draft.mistake(
    "this is what you get if nothing is ever copied.",
    never_copies,
)
EXERCISE = draft.exercise()
