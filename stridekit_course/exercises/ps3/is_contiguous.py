"""ps3, `isContiguous`: whether a tensor is contiguous, read off its header."""

import random

from stridekit_course.checks.callee import Function, TensorData
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.rules import header_only
from stridekit_course.checks.strategies import tensor_data
from stridekit_course.exercises import ps3


def _cases(hidden: bool, chance: random.Random) -> Given:
    for layout in ps3.tensor_layouts(hidden, chance):
        is_torchs = (sum(layout.size) + sum(layout.stride) + layout.storage_offset) % 3
        yield (tensor_data(layout, "torch" if is_torchs else "stridekit"),)


def _rule(tensor: TensorData) -> str:
    layout = tensor.layout
    if layout.numel == 0:
        return (
            "a size of 0 means that there are no elements. Then nothing can be out of order, so "
            "the answer is True, whatever the strides."
        )
    if layout.ndim == 0:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    return f"{ps3.in_words(ps3.WAY, ps3.row_major_walk(layout.size, layout.stride))}."


_walk = ps3.variants_of_walk("reversed(range(len(size)))")


def _but(*changes: str) -> Function:
    wrong = _walk(*changes)
    return lambda tensor: wrong(tensor.size(), tensor.stride())


EXERCISE = Exercise(
    "isContiguous",
    ("tensor",),
    place=1,
    returns=TRUTH,
    rules=header_only("isContiguous"),
    cases=_cases,
    late=lambda tensor: (ps3.is_repeated(tensor), tensor.library != "torch"),
    reference=lambda tensor: tensor.layout.is_contiguous,
    rule=_rule,
    known={
        "if dims of size 1 are not skipped.": (
            _but("size[dim] == 1", "False", "0 in size", "False"),
            _but("size[dim] == 1", "False"),
        ),
        "if descending strides are taken for contiguous. They must be exactly the products of the "
        "sizes to their right.": lambda tensor: (
            [*tensor.stride()] == sorted(tensor.stride(), reverse=True)
        ),
        "if tensors without elements are walked.": _but("0 in size", "False"),
        "if the walk goes from the first dim to the last. That is "
        "the test for column-major order.": _but("reversed(range(len(size)))", "range(len(size))"),
        "if neighbouring strides are compared, and nobody asks whether the last one is 1.": _but(
            *("expected: int = 1", "expected=None"),
            *("if stride", "if expected is not None and stride"),
            *("expected *= size[dim]", "expected = stride[dim] * size[dim]"),
        ),
        "if the walk ends at a dim of size 1. Skip it, and go on.": _but("continue", "break"),
        "if only the last stride is looked at.": lambda tensor: (
            tensor.numel() < 2 or tensor.size()[-1] == 1 or tensor.stride()[-1] == 1
        ),
    },
)
