"""ps2, `unsqueeze`: a new dim of size 1."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from math import prod
from typing import Any

from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Function, Plain
from stridekit_course.checks.exercise import Arguments
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.exercises.ps2 import (
    DIMS_MOST,
    HUGE,
    TWINS,
    HeaderDraft,
    bad_dims,
    dims_of,
    headers_of,
    larger_headers,
    of_many_dims,
    sizes_of,
)

draft = HeaderDraft(
    "unsqueeze",
    ("size", "stride", "dim"),
    place=5,
    returns=SIZE_AND_STRIDE,
    named=("dim",),
    in_result=True,
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for (n,), step in product(sizes_of(1), (0, 1, 3, 5)):
        yield from (((n,), (step,), dim) for dim in dims_of(2))
    strides = ((7, 2), (0, 3), (5, 0), (3, 1), (3, 3))
    for size, stride in product(sizes_of(2), strides if hidden else strides[:1]):
        yield from ((size, stride, dim) for dim in dims_of(3))
    for size, stride in product(((2, 3), (3, 2), (0, 2), (2, 0), (1, 3), (2, 2)), strides[1:]):
        yield from ((size, stride, dim) for dim in range(3))
    for rank in range(5):
        layout = of_many_dims(rank)
        named = (*dims_of(rank + 1), *bad_dims(rank + 1))
        yield from ((layout.size, layout.stride, dim) for dim in named)
    # With the new dim there are as many as there may be.
    for layout in (TWINS, HUGE, of_many_dims(6), of_many_dims(DIMS_MOST - 1)):
        yield from ((layout.size, layout.stride, dim) for dim in dims_of(layout.ndim + 1))
    if hidden:
        for layout in headers_of(3, sizes_of(3), count=2):
            yield from ((layout.size, layout.stride, dim) for dim in (0, 1, 2, -1))
    for layout, _ in larger_headers(300 if hidden else 60, chance):
        size, stride = layout.size[: DIMS_MOST - 1], layout.stride[: DIMS_MOST - 1]
        rank = len(size) + 1
        yield size, stride, chance.choice((*dims_of(rank), *bad_dims(rank)))


@draft.reference
def _reference(size: Ints, stride: Ints, dim: int) -> Plain:
    layout = dims.unsqueeze(Layout(size, stride), dim)
    return layout.size, layout.stride


@draft.rule
def _rule(size: Ints, stride: Ints, dim: int) -> str:
    rank = len(size)
    at = dim % (rank + 1)
    counted = (
        f"dim {dim} counts in the result, of rank {rank + 1}, so it is dim {dim} + {rank + 1} = "
        f"{at} there; "
        if dim < 0
        else ""
    )
    if at == rank:
        return f"{counted}nothing stands to the right of the new dim, so its stride is 1."
    return (
        f"{counted}the new dim {at} has size 1 and stride size × stride of what now stands to its "
        f"right: {size[at]} × {stride[at]} = {size[at] * stride[at]}."
    )


def _inserting(
    step: Callable[[Ints, Ints, int], int] = lambda size, stride, at: size[at] * stride[at],
    place: Callable[[int, int], int] = lambda dim, rank: dim % (rank + 1),
    last: int = 1,
) -> Function:
    """A way to unsqueeze, right but for the parts that are given."""

    def wrong(size: Ints, stride: Ints, dim: int) -> Any:
        at = place(dim, len(size))
        own = last if at == len(size) else step(size, stride, at)
        return (*size[:at], 1, *size[at:]), (*stride[:at], own, *stride[at:])

    return wrong


_ACCEPTED = (
    "this is what you get if a dim that is not there is accepted: wrapped around, or cut off at "
    "the end. Test the dim first."
)
draft.mistake(
    "this is what you get if the rank is added to a negative dim. The dim counts in the "
    "result, which has one dim more: add rank + 1.",
    _inserting(place=lambda dim, rank: dim + rank if dim < 0 else dim),
)
draft.mistake(
    "this is what you get if the new stride is always 1. It never matters for reading, "
    "but torch makes it size × stride of the dim to the right.",
    _inserting(lambda *_: 1),
)
draft.mistake(
    "this is what you get if the new stride is always 0. That is expand's way.",
    _inserting(lambda *_: 0, last=0),
)
draft.mistake(
    "this is what you get if the new dim takes the stride of the dim to its right. It is "
    "multiplied by that dim's size.",
    _inserting(lambda _, stride, at: stride[at]),
)
draft.mistake(
    "this is what you get if the last dim's stride is repeated at the end. Where nothing stands "
    "to the right, the new stride is 1.",
    lambda size, stride, dim: _inserting(last=stride[-1] if stride else 1)(
        size, stride, range(len(size) + 1)[dim]
    ),
)
draft.mistake(
    "this is what you get if the tensor is taken for row-major. Count with the strides "
    "that you are given, not with the sizes alone.",
    _inserting(lambda size, _, at: prod(size[at:])),
)
draft.mistake(
    "this is what you get if a size 0 counts as 1. Here torch multiplies by the size as it is.",
    _inserting(lambda size, stride, at: max(size[at], 1) * stride[at]),
)
draft.mistake(
    _ACCEPTED,
    _inserting(),
)
draft.mistake(
    _ACCEPTED,
    _inserting(place=lambda dim, rank: max(0, min(dim if dim >= 0 else dim + rank + 1, rank))),
)
EXERCISE = draft.exercise()
