"""ps2, `squeeze`: a dim of size 1 goes away."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Arguments
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.exercises.ps2 import (
    DIMS_MOST,
    HUGE,
    WRAPPED,
    HeaderDraft,
    bad_dims,
    dims_of,
    headers_of,
    larger_headers,
    of_many_dims,
    sizes_of,
    without_dim,
)

draft = HeaderDraft(
    "squeeze", ("size", "stride", "dim"), place=6, returns=SIZE_AND_STRIDE, named=("dim",)
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for (n,), step in product(sizes_of(1), (0, 1, 5)):
        yield from (((n,), (step,), dim) for dim in dims_of(1))
    strides = ((7, 2), (3, 3), (0, 1))
    for size, stride in product(sizes_of(2), strides if hidden else strides[:1]):
        yield from ((size, stride, dim) for dim in dims_of(2))
    for size, stride in product(((1, 2), (2, 1), (1, 0), (1, 1)), strides[1:]):
        yield from ((size, stride, dim) for dim in range(2))
    for layout in headers_of(3, sizes_of(3, 2), count=2 if hidden else 1):
        yield from ((layout.size, layout.stride, dim) for dim in dims_of(3))
    for size, dim in product(((1, 2, 1), (1, 3, 1), (2, 1, 1)), range(3)):
        yield from ((size, stride, dim) for stride in ((5, 1, 5), (5, 5, 5), (0, 4, 0)))
    for size in ((1, 3), (2, 1), (1, 1)):
        yield from ((size, HUGE.stride, dim) for dim in range(2))
    # A dim that is not there, with and without a dim of size 1.
    for rank in (1, 2, 3):
        for size in ((1,) * rank, (1, 3, 4)[:rank], (2, 3, 4)[:rank]):
            yield from ((size, (7, 2, 5)[:rank], dim) for dim in bad_dims(rank))
    # Sizes in which there is a digit 1, of ten or of two.
    for n, dim in product((10, 11, 21, 100, 101, 128, 257), (0, 1)):
        yield (n, 1), (7, 2), dim
    for rank in (5, DIMS_MOST):
        size = (1, 2) * (rank // 2) + (1,) * (rank % 2)
        yield from ((size, of_many_dims(rank).stride, dim) for dim in dims_of(rank))
    if hidden:
        for layout in headers_of(3, sizes_of(3), count=2):
            yield from ((layout.size, layout.stride, dim) for dim in (0, 1, 2))
    for layout, dim in larger_headers(350 if hidden else 60, chance):
        size, outside = list(layout.size), bad_dims(layout.ndim)
        if chance.random() < 0.4:
            size[dim] = 1
        named = dim if chance.random() < 0.85 else chance.choice(outside)
        yield tuple(size), layout.stride, named


@draft.reference
def _reference(size: Ints, stride: Ints, dim: int) -> Plain:
    layout = dims.squeeze(Layout(size, stride), (dim,))
    return layout.size, layout.stride


@draft.rule
def _rule(size: Ints, stride: Ints, dim: int) -> str:
    at = dim % len(size)
    named = f"dim {dim}" if dim >= 0 else f"dim {dim}, which is dim {at},"
    if size[at] == 1:
        return (
            f"{named} has size 1, so it goes away, with its stride {stride[at]}; all other dims "
            "stay, those of size 1 too."
        )
    return f"{named} has size {size[at]}, and only a dim of size 1 goes away: nothing changes."


def _without_ones(numbers: Ints, size: Ints) -> Ints:
    return tuple(number for number, n in zip(numbers, size, strict=True) if n != 1)


def _when_one(
    size: Ints, stride: Ints, dim: int, result: Callable[[Ints], Ints]
) -> tuple[Ints, Ints]:
    return (result(size), result(stride)) if size[dim] == 1 else (size, stride)


draft.mistake(
    "this is what you get if the dim is dropped whatever its size. A dim of another size "
    "than 1 stays: without it, elements would be lost.",
    lambda size, stride, dim: (without_dim(size, dim), without_dim(stride, dim)),
)


@draft.mistake(
    "this is what you get if a dim of another size is refused. torch leaves it as it is, "
    "and says nothing."
)
def _refuses_others(size: Ints, stride: Ints, dim: int) -> Any:
    if size[dim] != 1:
        raise ValueError
    return without_dim(size, dim), without_dim(stride, dim)


draft.mistake(
    "this is what you get if all dims of size 1 are dropped. Only `dim` is asked for.",
    lambda size, stride, _: (_without_ones(size, size), _without_ones(stride, size)),
)
draft.mistake(
    "this is what you get if the dim leaves the size and not the stride. Its stride goes with it.",
    lambda size, stride, dim: (without_dim(size, dim) if size[dim] == 1 else size, stride),
)
draft.mistake(
    "this is what you get if nothing is ever dropped.",
    lambda size, stride, _: (size, stride),
)
draft.mistake(
    "this is what you get if tuples are cut at dim and dim + 1, and dim is -1: dim + 1 is 0 "
    "then. Make the dim positive first.",
    lambda size, stride, dim: _when_one(
        size, stride, dim, lambda numbers: numbers[:dim] + numbers[dim + 1 :]
    ),
)
draft.mistake(
    "this is what you get if a dim of size 0 goes away too. Only one of size 1 does: without a "
    "size of 0, a tensor would get elements.",
    lambda size, stride, dim: (
        (without_dim(size, dim), without_dim(stride, dim)) if size[dim] <= 1 else (size, stride)
    ),
)


@draft.mistake(
    "this is what you get if the first dim of size 1 leaves the size, whichever is asked for."
)
def _first_of_size_one(size: Ints, stride: Ints, dim: int) -> Any:
    if size[dim] != 1:
        return size, stride
    return without_dim(size, size.index(1)), without_dim(stride, dim)


draft.mistake(
    "this is what you get if a dim that is not there is let through, and nothing changes. It is an "
    "IndexError.",
    lambda size, stride, dim: (
        _when_one(size, stride, dim, lambda numbers: without_dim(numbers, dim))
        if dim in dims_of(len(size))
        else (size, stride)
    ),
)
draft.mistake(
    WRAPPED,
    lambda size, stride, dim: _when_one(
        size, stride, dim % len(size), lambda numbers: without_dim(numbers, dim)
    ),
)
EXERCISE = draft.exercise()
