"""Assignment ps3: contiguity."""

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts, tensor_data
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.pictures import draw_tensors
from stridekit.checks.returns import TRUTH, WHOLE, Items, Record
from stridekit.checks.rules import header_only
from stridekit.checks.seam import TensorData
from stridekit.exercises.ps3_copies import CONTIGUOUS
from stridekit.exercises.ps3_formats import IS_CHANNELS_LAST, IS_DENSE, IS_F_CONTIGUOUS
from stridekit.exercises.ps3_images import TO_CHANNELS_LAST
from stridekit.exercises.ps3_walk import (
    draw_beside,
    holds,
    in_words,
    near,
    random_walks,
    small_walks,
    walk,
)
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

_WAY = "from the last to the first"

# isContiguous


def _is_contiguous_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in _layouts(hidden, chance):
        yield (tensor_data(layout),)
        yield (tensor_data(layout, "stridekit"),)


def _layouts(hidden: bool, chance: random.Random) -> Iterable[Layout]:
    yield from small_layouts(2, (0, 1, 2, 3, 5))
    if hidden:
        yield from (each for each in small_layouts(3, (0, 1, 2, 6)) if each.ndim == 3)
        for size in ((2, 2, 2), (2, 3, 2), (1, 2, 3), (3, 1, 2), (2, 3, 1), (2, 1, 3, 2)):
            for header in near(size, reversed(range(len(size)))):
                yield Layout(*header)
    yield from random_layouts(300 if hidden else 75, chance)
    for header in random_walks(300 if hidden else 75, chance):
        yield Layout(*header, chance.choice((0, 2)))


def _is_contiguous_rule(tensor: TensorData) -> str:
    layout = tensor.layout
    if layout.numel == 0:
        return (
            "a size of 0 means that there are no elements. Then nothing can be out of order, so "
            "the answer is True, whatever the strides."
        )
    if layout.ndim == 0:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    return f"{in_words(_WAY, _steps(layout.size, layout.stride))}."


def _steps(size: Ints, stride: Ints) -> Any:
    return walk(size, stride, reversed(range(len(size))))


def _ones_not_skipped(tensor: Any) -> Any:
    expected = 1
    for n, stride in zip(reversed(tensor.size()), reversed(tensor.stride()), strict=True):
        if stride != expected:
            return False
        expected *= n
    return True


def _descending(tensor: Any) -> Any:
    stride = list(tensor.stride())
    return stride == sorted(stride, reverse=True)


def _empty_not_exempt(tensor: Any) -> Any:
    return holds(_steps(tuple(tensor.size()), tuple(tensor.stride())))


def _only_the_ratios(tensor: Any) -> Any:
    kept = [(n, step) for n, step in zip(tensor.size(), tensor.stride(), strict=True) if n != 1]
    return 0 in tensor.size() or all(a == b * n for (_, a), (n, b) in pairwise(kept))


def _last_is_one(tensor: Any) -> Any:
    return tensor.numel() < 2 or tensor.size()[-1] == 1 or tensor.stride()[-1] == 1


def _from_the_left(tensor: Any) -> Any:
    size, stride = tuple(tensor.size()), tuple(tensor.stride())
    return 0 in size or holds(walk(size, stride, range(len(size))))


IS_CONTIGUOUS = plain_exercise(
    "isContiguous",
    ("t",),
    cases=_is_contiguous_cases,
    reference=lambda tensor: tensor.layout.is_contiguous,
    returns=TRUTH,
    rule=_is_contiguous_rule,
    rules=header_only("isContiguous"),
    picture=lambda case, *_: draw_tensors(("t",), case.arguments),
    mistakes=(
        Mistake(_ones_not_skipped, "this is what you get if dims of size 1 are not skipped."),
        Mistake(
            _descending,
            "this is what you get if descending strides are taken for contiguous. They must be "
            "exactly the products of the sizes to their right.",
        ),
        Mistake(_empty_not_exempt, "this is what you get if tensors without elements are walked."),
        Mistake(
            _from_the_left,
            "this is what you get if the walk goes from the first dim to the last. That is the "
            "test for column-major order.",
        ),
        Mistake(
            _only_the_ratios,
            "this is what you get if neighbouring strides are compared, and nobody asks whether "
            "the last one is 1.",
        ),
        Mistake(_last_is_one, "this is what you get if only the last stride is looked at."),
    ),
)


# contiguity_trace

_ITEM = Record((("dim", WHOLE), ("stride", WHOLE), ("expected", WHOLE), ("ok", TRUTH)))


def _trace_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    yield from small_walks(hidden=hidden, least=1)
    yield from random_walks(500 if hidden else 150, chance, least=1)


def _trace(size: Ints, stride: Ints) -> Any:
    return [
        (step.dim, step.stride, step.expected, step.ok)
        for step in _steps(size, stride)
        if step.ok is not None
    ]


def _trace_rule(size: Ints, stride: Ints) -> str:
    if not size:
        return "rank 0 has no dim to visit, so the list is empty."
    steps = _steps(size, stride)
    words = in_words(_WAY, steps)
    if all(step.ok is None for step in steps):
        return f"{words}, and the list is empty."
    if holds(steps):
        return f"{words}. Each gives one item, with ok True."
    return f"{words}. So its item has ok False, and it ends the list."


def _all_items(size: Ints, stride: Ints, order: Iterable[int], *, ones: bool = False) -> Any:
    """The items of a walk that does not stop."""
    items = []
    expected = 1
    for dim in order:
        if ones or size[dim] != 1:
            items.append((dim, stride[dim], expected, stride[dim] == expected))
            expected *= size[dim]
    return items


def _to_first_failure(items: Any) -> Any:
    failed = [number for number, item in enumerate(items) if not item[3]]
    return items[: failed[0] + 1] if failed else items


def _walks_on(size: Ints, stride: Ints) -> Any:
    return _all_items(size, stride, reversed(range(len(size))))


def _lists_ones(size: Ints, stride: Ints) -> Any:
    return _to_first_failure(_all_items(size, stride, reversed(range(len(size))), ones=True))


def _starts_left(size: Ints, stride: Ints) -> Any:
    return _to_first_failure(_all_items(size, stride, range(len(size))))


def _products_from_the_left(size: Ints, stride: Ints) -> Any:
    expected = contiguous_stride(size)
    items = [
        (dim, stride[dim], expected[dim], stride[dim] == expected[dim])
        for dim, n in enumerate(size)
        if n != 1
    ]
    return _to_first_failure(items)


def _dims_ascending(size: Ints, stride: Ints) -> Any:
    return _trace(size, stride)[::-1]


def _without_the_failure(size: Ints, stride: Ints) -> Any:
    return [item for item in _trace(size, stride) if item[3]]


def _expected_of_the_next(size: Ints, stride: Ints) -> Any:
    return [(dim, step, e * size[dim], ok) for dim, step, e, ok in _trace(size, stride)]


def _dims_from_the_right(size: Ints, stride: Ints) -> Any:
    return [(len(size) - 1 - dim, *rest) for dim, *rest in _trace(size, stride)]


CONTIGUITY_TRACE = plain_exercise(
    "contiguity_trace",
    ("size", "stride"),
    cases=_trace_cases,
    reference=_trace,
    returns=Items(list, _ITEM, "tuples (dim, stride, expected, ok)"),
    rule=_trace_rule,
    picture=lambda case, *_: draw_beside(
        case.arguments, "row-major", contiguous_stride(case.arguments[0])
    ),
    mistakes=(
        Mistake(
            _dims_ascending,
            "this is what you get if the list is turned round. The dim that is visited first "
            "comes first.",
        ),
        Mistake(
            _products_from_the_left,
            "this is what you get if the dims are visited from the first to the last. The walk "
            "begins at the last dim.",
        ),
        Mistake(
            _starts_left,
            "this is what you get if the walk begins at the first dim. It begins at the last.",
        ),
        Mistake(
            _dims_from_the_right,
            "this is what you get if dims are numbered from the right. The last dim has the "
            "number rank - 1.",
        ),
        Mistake(
            _without_the_failure,
            "this is what you get if the dim that fails is left out. It is the last item.",
        ),
        Mistake(
            _expected_of_the_next,
            "this is what you get if expected is multiplied before the item is written down.",
        ),
        Mistake(_walks_on, "this is what you get if the walk goes on after the first failure."),
        Mistake(_lists_ones, "this is what you get if dims of size 1 are not skipped."),
    ),
)

EXERCISES = (
    IS_CONTIGUOUS,
    CONTIGUITY_TRACE,
    IS_F_CONTIGUOUS,
    IS_CHANNELS_LAST,
    IS_DENSE,
    CONTIGUOUS,
    TO_CHANNELS_LAST,
)
