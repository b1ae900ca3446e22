"""ps2, `squeeze`: a dim of size 1 goes away."""

import random
from collections.abc import Callable, Iterable
from typing import Any

from stridekit.checks.exercise import Arguments
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Plain
from stridekit.exercises.ps2.dims import (
    WRAPPED,
    bad_dims,
    dims_of,
    without_dim,
)
from stridekit.exercises.ps2.drafts import HeaderDraft
from stridekit.exercises.ps2.headers import (
    random_headers,
    small_pairs,
)
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout

draft = HeaderDraft(
    "squeeze", ("size", "stride", "dim"), place=6, returns=SIZE_AND_STRIDE, named=("dim",)
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for rank in (1, 2, 3) if hidden else (1, 2):
        for size, stride in small_pairs(rank):
            for dim in dims_of(rank):
                yield size, stride, dim
            yield size, stride, bad_dims(rank)[sum(stride) % 2]
    for layout, dim in random_headers(1200 if hidden else 300, chance):
        yield (
            layout.size,
            layout.stride,
            (dim if chance.random() < 0.8 else chance.choice(bad_dims(layout.ndim))),
        )


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
    "this is what you get if nothing is ever dropped.",
    lambda size, stride, _: (size, stride),
)
draft.mistake(
    "this is what you get from size[:dim] + size[dim + 1:] if dim is -1: dim + 1 is 0 "
    "then. Make the dim positive first.",
    lambda size, stride, dim: _when_one(
        size, stride, dim, lambda numbers: numbers[:dim] + numbers[dim + 1 :]
    ),
)
draft.mistake(
    WRAPPED,
    lambda size, stride, dim: _when_one(
        size, stride, dim % len(size), lambda numbers: without_dim(numbers, dim)
    ),
)
EXERCISE = draft.exercise()
