"""ps3, `contiguous`: a tensor itself, or its copy in row-major order."""

import random
from typing import Any

from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit_course.checks.callee import Function, Outcome, TensorData
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.rules import without
from stridekit_course.checks.tensor_results import copied, wrong_tensor
from stridekit_course.exercises import ps3

# A copy in row-major order that is one call away, or a call that makes it by the way.
_COPY = (
    *("contiguous", "clone", "reshape", "reshape_as", "resize", "resize_as", "flatten", "ravel"),
    *("repeat", "repeat_interleave", "tile", "cat", "concat", "concatenate", "block"),
    *("stack", "hstack", "vstack", "dstack", "column_stack", "row_stack"),
    *("index_select", "take", "take_along_dim", "gather", "roll", "rot90", "tril", "triu", "pad"),
    *("masked_fill", "masked_scatter", "masked_select", "unique", "unique_consecutive"),
    *("scatter", "scatter_add", "scatter_reduce", "index_add", "index_reduce"),
    *("put", "_chunk_cat", "_flatten_dense_tensors", "flatten_dense_tensors"),
    *("nested_tensor", "as_nested_tensor", "_nested_tensor_from_tensor_list", "to_padded_tensor"),
    *("select_scatter", "slice_scatter", "as_strided_scatter", "index_put", "where"),
    *("fftshift", "ifftshift", "pad_sequence"),
    *("copy", "require", "ascontiguousarray", "astype", "delete", "compress", "choose"),
)


def _cases(hidden: bool, chance: random.Random) -> Given:
    yield from ps3.tensor_layouts(hidden, chance)
    yield from ps3.odd_tensors(
        hidden, chance, Layout((4, 2), (1, 4)), Layout((2, 2, 3, 2), (0, 5, 0, 5))
    )
    yield from ps3.crossed_tensors(hidden, chance, range(8))


def _reference(given: TensorData) -> TensorData | None:
    """The copy, or None where the tensor itself is expected."""
    return None if given.layout.is_contiguous else copied(given)


def _complaint(copy: TensorData | None, outcome: Outcome, given: TensorData) -> str | None:
    if copy is None and outcome.is_argument == 0:
        return None
    if copy is None and isinstance(outcome.value, TensorData):
        return "returned another tensor; expected the tensor itself, which is contiguous already."
    return wrong_tensor(outcome, copy or given, "contiguous", view="a view of it")


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


def _or_itself(copy: Function, is_right: Function = lambda x: x.is_contiguous()) -> Function:
    """A copy, but of those tensors that are taken for right as they are."""
    return lambda tensor: tensor if is_right(tensor) else copy(tensor)


def _copies_storage(tensor: Any) -> Any:
    out = ps3.made(tensor)
    out.view(-1)[:] = tensor.as_strided((tensor.numel(),), (1,), 0)
    return out


EXERCISE = Exercise(
    "contiguous",
    ("tensor",),
    place=6,
    rules=without(
        "contiguous has to do its own copying: that call would do the exercise.",
        *(*_COPY, *ps3.CONVERSIONS),
        endings=("_copy",),
    ),
    cases=_cases,
    late=ps3.is_repeated,
    reference=_reference,
    complaint=_complaint,
    rule=_rule,
    picture=ps3.draw_copy,
    known={
        "if the elements are copied in storage order. Copy them in the order of the "
        "indices.": _or_itself(_copies_storage),
        "with empty_like, or with torch.tensor of a tensor: they imitate the old strides. empty of "
        "the same size is row-major.": (
            _or_itself(ps3.imitates),
            ps3.imitates,
        ),
        "if a contiguous tensor is copied too.": ps3.copies,
        "if only the strides are changed. That moves no element: the same memory is read in "
        "another way.": _or_itself(
            lambda tensor: tensor.as_strided(tensor.size(), contiguous_stride((*tensor.size(),)))
        ),
        "if nothing is ever copied.": lambda tensor: tensor,
        "if only the last stride is looked at.": _or_itself(
            ps3.copies, lambda x: x.numel() < 2 or x.stride()[-1] == 1 or x.is_contiguous()
        ),
        **{said: _or_itself(copy) for said, copy in ps3.LOSSY_COPIES.items()},
        "if dims of size 1 are asked for their strides.": _or_itself(
            ps3.copies, lambda x: 0 in x.size() or x.stride() == contiguous_stride((*x.size(),))
        ),
        "if tensors without elements are walked. They are "
        "contiguous, whatever their strides.": _or_itself(
            ps3.copies, lambda x: ps3.holds(ps3.row_major_walk((*x.size(),), x.stride()))
        ),
        "if a tensor has to begin at the first position of its storage. A contiguous one may begin"
        " anywhere.": _or_itself(
            ps3.copies, lambda x: x.is_contiguous() and x.storage_offset() == 0
        ),
    },
)
