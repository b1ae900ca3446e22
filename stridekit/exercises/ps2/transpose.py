"""ps2, `transpose`: two dims change places."""

import random
from collections.abc import Iterable
from itertools import product

from stridekit.checks.exercise import Arguments
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Plain
from stridekit.exercises.ps2.dims import WRAPPED, bad_dims, dims_of
from stridekit.exercises.ps2.drafts import HeaderDraft
from stridekit.exercises.ps2.headers import (
    BLOCKS,
    random_headers,
    small_headers,
)
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout

draft = HeaderDraft(
    "transpose",
    ("size", "stride", "dim0", "dim1"),
    place=3,
    returns=SIZE_AND_STRIDE,
    named=("dim0", "dim1"),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for rank in (1, 2, 3) if hidden else (1, 2):
        for layout in small_headers(rank):
            if rank == 3 and layout.storage_offset:
                continue
            for dim0, dim1 in product(dims_of(rank), repeat=2):
                yield layout.size, layout.stride, dim0, dim1
            for dim in bad_dims(rank):
                yield layout.size, layout.stride, dim, 0
                yield layout.size, layout.stride, -1, dim
    for size in product((1, 2, 3), repeat=3):
        for dim0, dim1 in ((0, 1), (0, 2), (2, 1), (-3, 2)):
            yield size, BLOCKS[0][0], dim0, dim1
    for layout, dim in random_headers(1000 if hidden else 200, chance):
        other = chance.choice((*dims_of(layout.ndim), *bad_dims(layout.ndim)))
        yield layout.size, layout.stride, dim, other


@draft.reference
def _reference(size: Ints, stride: Ints, dim0: int, dim1: int) -> Plain:
    layout = dims.transpose(Layout(size, stride), dim0, dim1)
    return layout.size, layout.stride


@draft.rule
def _rule(size: Ints, stride: Ints, dim0: int, dim1: int) -> str:
    rank = len(size)
    a, b = dim0 % rank, dim1 % rank
    if a == b:
        return f"dim {dim0} and dim {dim1} are the same dim, so nothing changes places."
    return (
        f"dims {a} and {b} change places, in the size and in the stride alike: size {size[a]} "
        f"keeps its stride {stride[a]}, and size {size[b]} its stride {stride[b]}; all others stay."
    )


def _swapped(numbers: Ints, dim0: int, dim1: int) -> Ints:
    order = list(numbers)
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return tuple(order)


def _by_slices(numbers: Ints, dim0: int, dim1: int) -> Ints:
    a, b = min(dim0, dim1), max(dim0, dim1)
    if a == b:
        return numbers
    return (*numbers[:a], numbers[b], *numbers[a + 1 : b], numbers[a], *numbers[b + 1 :])


draft.mistake(
    "this is what you get if only the sizes change places. Each size takes its stride along.",
    lambda size, stride, dim0, dim1: (_swapped(size, dim0, dim1), stride),
)
draft.mistake(
    "this is what you get if only the strides change places. Each stride takes its size along.",
    lambda size, stride, dim0, dim1: (size, _swapped(stride, dim0, dim1)),
)
draft.mistake(
    "this is what you get if all dims are turned round. Only dim0 and dim1 change places.",
    lambda size, stride, *_: (size[::-1], stride[::-1]),
)
draft.mistake(
    "this is what you get if nothing changes places.",
    lambda size, stride, *_: (size, stride),
)
draft.mistake(
    "this is what you get if negative dims are compared and cut with as they are. Make "
    "both dims positive first.",
    lambda size, stride, dim0, dim1: (
        _by_slices(size, dim0, dim1),
        _by_slices(stride, dim0, dim1),
    ),
)
draft.mistake(
    WRAPPED,
    lambda size, stride, dim0, dim1: (
        _swapped(size, dim0 % len(size), dim1 % len(size)),
        _swapped(stride, dim0 % len(size), dim1 % len(size)),
    ),
)
EXERCISE = draft.exercise()
