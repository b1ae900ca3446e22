"""ps3, `contiguous`: a tensor itself, or its copy in row-major order."""

import random
from collections.abc import Callable, Iterable
from typing import Any

from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Outcome, TensorData
from stridekit_course.checks.exercise import Arguments, Exercise
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import crossed_layouts, in_every_order, tensor_data
from stridekit_course.checks.tensor_results import (
    DTYPES,
    copied,
    is_exactly,
    no_tensor,
    other_kind,
    other_values,
)
from stridekit_course.exercises.ps3 import (
    CONVERSIONS,
    LOSSY_COPIES,
    copies,
    draw_copy,
    holds,
    imitates,
    is_repeated,
    made,
    row_major_walk,
    tensor_layouts,
)

# Each has a name with _copy behind it, and is a copy then.
_COPIED_VIEWS = (
    *("alias", "as_strided", "detach", "diagonal", "expand", "narrow", "permute", "select"),
    *("slice", "split", "split_with_sizes", "squeeze", "t", "transpose", "unbind", "unfold"),
    *("unsqueeze", "view", "view_as_real", "view_as_complex"),
)
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
    *(f"{view}_copy" for view in _COPIED_VIEWS),
)


def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in tensor_layouts(hidden, chance):
        yield (tensor_data(layout),)
    # Other values under the same header.
    for offset in (1, 2, 3):
        for size, stride in (((2, 2), (1, 2)), ((2, 2), (2, 1)), ((3,), (2,)), ((), ())):
            yield (tensor_data(Layout(size, stride, offset)),)
    # All eight odd values of a dtype, and those of many dims.
    for dtype in ("int64", *DTYPES):
        yield (tensor_data(Layout((4, 2), (1, 4)), dtype=dtype, odd=True),)
        twice = Layout((2, 3, 2), (0, 5, 5))
        for layout in (twice, *in_every_order((2, 3, 2), chance)) if hidden else ():
            yield (tensor_data(layout, dtype=dtype, odd=True),)
    rows = [*crossed_layouts(chance, range(8), most=24, dtype=("int64", *DTYPES))]
    for layout, row in rows if hidden else rows[:24]:
        yield (tensor_data(layout, dtype=row.dtype, odd=True),)


def _reference(given: TensorData) -> TensorData | None:
    """The copy, or None where the tensor itself is expected."""
    return None if given.layout.is_contiguous else copied(given, contiguous_stride(given.size))


def _complaint(case: Case, copy: TensorData | None, outcome: Outcome) -> str | None:
    given: TensorData = case.arguments[0]
    if copy is None:
        if outcome.is_argument == 0:
            return None
        if isinstance(outcome.value, TensorData):
            return (
                "returned another tensor; expected the tensor itself, which is contiguous already."
            )
    elif is_exactly(outcome, copy):
        return None
    result = outcome.value
    problem = no_tensor(outcome) or other_kind(result, given.dtype, given.size)
    if problem:
        return problem
    if outcome.aliases is not None:
        what = "the tensor itself" if outcome.is_argument == 0 else "a view of it"
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


def _rule(tensor: TensorData) -> str:
    size, stride = tensor.size, tensor.stride
    if tensor.layout.is_contiguous:
        return (
            f"stride {stride} is contiguous for size {size} already, and then the tensor itself is "
            "returned: the very same object."
        )
    return (
        f"stride {stride} is not contiguous for size {size}. The copy holds the elements in "
        f"reading order, one position after another: stride {contiguous_stride(size)}."
    )


def _or_itself(copy: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda tensor: tensor if tensor.is_contiguous() else copy(tensor)


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


def _asks_ones(tensor: Any) -> Any:
    row_major = contiguous_stride(tuple(tensor.size()))
    return tensor if 0 in tensor.size() or tensor.stride() == row_major else copies(tensor)


def _walks_empty(tensor: Any) -> Any:
    steps = row_major_walk(tuple(tensor.size()), tensor.stride())
    return tensor if holds(steps) else copies(tensor)


EXERCISE = Exercise(
    "contiguous",
    ("tensor",),
    place=6,
    rules=without(
        "contiguous has to do its own copying: that call would do the exercise.",
        *(*_COPY, *CONVERSIONS),
    ),
    cases=_cases,
    late=is_repeated,
    reference=_reference,
    complaint=_complaint,
    rule=_rule,
    picture=lambda case, copy, outcome: draw_copy(case, outcome, copy and copy.stride),
    known={
        "if the elements are copied in storage order. Copy them in the order of the indices.": (
            _or_itself(_copies_storage),
            _or_itself(_lists_storage),
        ),
        "with empty_like: it imitates the old strides. empty "
        "of the same size is row-major.": _or_itself(imitates),
        "with empty_like for every tensor: it imitates the old strides. And a contiguous tensor is "
        "to be returned itself.": imitates,
        "if a contiguous tensor is copied too.": copies,
        "if only the strides are changed. That moves no element: the same memory is read in "
        "another way.": _or_itself(
            lambda tensor: tensor.as_strided(tensor.size(), contiguous_stride((*tensor.size(),)))
        ),
        "if nothing is ever copied.": lambda tensor: tensor,
        **{said: _or_itself(copy) for said, copy in LOSSY_COPIES.items()},
        "if dims of size 1 are asked for their strides.": _asks_ones,
        "if tensors without elements are walked. They are "
        "contiguous, whatever their strides.": _walks_empty,
        "if a tensor has to begin at the first position of its storage. A contiguous one may begin"
        " anywhere.": lambda tensor: (
            tensor if tensor.is_contiguous() and tensor.storage_offset() == 0 else copies(tensor)
        ),
    },
)
