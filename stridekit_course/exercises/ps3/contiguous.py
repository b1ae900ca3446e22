"""ps3, `contiguous`: a tensor itself, or its copy in row-major order."""

import random
from collections.abc import Callable, Iterable
from typing import Any

from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.cases import tensor_data, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.rules import without
from stridekit_course.checks.tensor_results import (
    ADDED_TO_ZEROS,
    CONVERSIONS,
    COPIED_VIEWS,
    DTYPES,
    OF_A_GUESSED_DTYPE,
    OF_THE_USUAL_DTYPE,
    THROUGH_FLOATS,
    added_to_zeros,
    copied,
    copies,
    draw_copy,
    imitates,
    is_copy,
    made,
    never_copies,
    of_a_guessed_dtype,
    of_the_usual_dtype,
    other_tensor,
    other_values,
    through_floats,
)
from stridekit_course.exercises.ps3 import holds, placed, repeats, row_major_walk, tensor_walks

# A copy in row-major order that is one call away, or a call that makes it by the way.
_COPY = (
    *("contiguous", "clone", "reshape", "reshape_as", "resize", "resize_as", "flatten", "ravel"),
    *("repeat", "repeat_interleave", "tile", "cat", "concat", "concatenate", "block"),
    *("stack", "hstack", "vstack", "dstack", "column_stack", "row_stack"),
    *("index_select", "take", "take_along_dim", "gather", "roll", "rot90", "tril", "triu", "pad"),
    *("masked_fill", "masked_scatter", "masked_select", "unique", "unique_consecutive"),
    *("scatter", "scatter_add", "scatter_reduce", "index_copy", "index_add", "index_reduce"),
    *("fftshift", "ifftshift", "pad_sequence"),
    *("copy", "require", "ascontiguousarray", "astype", "delete", "compress", "choose"),
    *("_reshape_copy", "_reshape_alias_copy", "lift_fresh_copy"),
    *(f"{view}_copy" for view in COPIED_VIEWS),
)
draft = Draft(
    "contiguous",
    ("t",),
    place=6,
    rules=without(
        "contiguous has to do its own copying: that call would do the exercise.",
        *(*_COPY, *CONVERSIONS),
    ),
)
# All eight odd values in another order; half of them, each twice; a few in many dims; and tensors
# that are contiguous.
_ODD = (
    Layout((4, 2), (1, 4)),
    Layout((2, 4), (0, 2), 1),
    Layout((1, 8), (3, 1)),
    Layout((2, 1, 2, 2), (1, 5, 4, 2), 3),
    Layout((2, 4), (9, 2), 1),
    Layout((), (), 1),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for size, stride in tensor_walks(hidden, chance):
        if hidden or len(size) != 2 or 3 not in stride or 3 in size:
            yield (tensor_data(placed((size, stride))),)
    # Other values under the same header.
    for offset in (1, 2, 3):
        for size, stride in (((2, 2), (1, 2)), ((2, 2), (2, 1)), ((3,), (2,)), ((), ())):
            yield (tensor_data(Layout(size, stride, offset)),)
    for dtype in ("int64", *DTYPES):
        for layout in _ODD if hidden else _ODD[:3]:
            yield (tensor_data(layout, dtype=dtype, odd=True),)


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
def _expect(case: Case) -> TensorData | None:
    given: TensorData = case.arguments[0]
    return None if given.layout.is_contiguous else copied(given, contiguous_stride(given.size))


@draft.is_right
def _is_right(_case: Case, copy: TensorData | None, outcome: Outcome) -> bool:
    if copy is None:
        return outcome.is_argument == 0
    return outcome.aliases is None and is_copy(copy, outcome, lambda layout: layout.is_contiguous)


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
draft.mistake(OF_THE_USUAL_DTYPE, _or_itself(of_the_usual_dtype))
draft.mistake(OF_A_GUESSED_DTYPE, _or_itself(of_a_guessed_dtype))
draft.mistake(THROUGH_FLOATS, _or_itself(through_floats))
draft.mistake(ADDED_TO_ZEROS, _or_itself(added_to_zeros))


@draft.mistake("this is what you get if dims of size 1 are asked for their strides.")
def _asks_ones(tensor: Any) -> Any:
    row_major = contiguous_stride(tuple(tensor.size()))
    return tensor if 0 in tensor.size() or tensor.stride() == row_major else copies(tensor)


@draft.mistake(
    "this is what you get if tensors without elements are walked. They are contiguous, whatever "
    "their strides."
)
def _walks_empty(tensor: Any) -> Any:
    steps = row_major_walk(tuple(tensor.size()), tensor.stride())
    return tensor if holds(steps) else copies(tensor)


@draft.mistake(
    "this is what you get if a tensor has to begin at the first position of its storage. A "
    "contiguous one may begin anywhere."
)
def _from_the_beginning(tensor: Any) -> Any:
    is_first = tensor.storage_offset() == 0
    return tensor if tensor.is_contiguous() and is_first else copies(tensor)


EXERCISE = draft.exercise()
