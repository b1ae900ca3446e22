"""ps2, `transpose`: two dims change places."""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Arguments
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.exercises.ps2 import (
    DIMS_MOST,
    HUGE,
    TWINS,
    WRAPPED,
    HeaderDraft,
    bad_dims,
    dims_of,
    headers_of,
    larger_headers,
    of_many_dims,
    sizes_of,
)

draft = HeaderDraft(
    "transpose",
    ("size", "stride", "dim0", "dim1"),
    place=3,
    returns=SIZE_AND_STRIDE,
    named=("dim0", "dim1"),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in headers_of(1, sizes_of(1), count=2 if hidden else 1):
        yield from _naming(layout, product(dims_of(1), repeat=2))
    for layout in headers_of(2, ((2, 3), *(((3, 2), (2, 2), (0, 2)) if hidden else ()))):
        yield from _naming(layout, product(dims_of(2), repeat=2))
    for layout in headers_of(2, sizes_of(2), count=4 if hidden else 1):
        yield from _naming(layout, ((0, 1), (-1, 0), (1, -2), (0, -2), (-1, -1)))
    for layout in headers_of(3, sizes_of(3, least=1), count=3 if hidden else 1):
        yield from _naming(layout, ((0, 1), (0, 2), (2, 1), (-3, 2)))
    # One dim that is not there, or both, or the same one twice.
    for rank in (1, 2, 3):
        bad = bad_dims(rank)
        yield from _naming(of_many_dims(rank), ((dim, rank - 1) for dim in bad))
        yield from _naming(of_many_dims(rank), ((-1, dim) for dim in bad))
        yield from _naming(of_many_dims(rank), (*zip(bad, bad, strict=True), bad[:2], bad[1:3]))
    for rank in (4, 5):
        yield from _naming(of_many_dims(rank), combinations(range(rank), 2))
    yield from _naming(TWINS, combinations(range(3), 2))
    yield from _naming(HUGE, ((0, 1), (1, 1)))
    many = of_many_dims(DIMS_MOST)
    yield from _naming(many, ((0, dim) for dim in dims_of(DIMS_MOST)))
    if hidden:
        yield from _naming(many, combinations(range(DIMS_MOST), 2))
        for layout in headers_of(3, ((2, 3, 4), (0, 2, 3), (3, 0, 1), (2, 2, 3)), count=2):
            yield from _naming(layout, product(dims_of(3), repeat=2))
    for layout, dim in larger_headers(300 if hidden else 50, chance):
        other = chance.choice((*dims_of(layout.ndim), *bad_dims(layout.ndim)))
        yield layout.size, layout.stride, dim, other


def _naming(layout: Layout, pairs: Iterable[Ints]) -> Iterator[Arguments]:
    for dim0, dim1 in pairs:
        yield layout.size, layout.stride, dim0, dim1


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


@draft.mistake(
    "this is what you get if the same dim twice is refused. It is allowed, and nothing changes."
)
def _refuses_one_dim(size: Ints, stride: Ints, dim0: int, dim1: int) -> Any:
    if range(len(size))[dim0] == range(len(size))[dim1]:
        raise ValueError
    return _swapped(size, dim0, dim1), _swapped(stride, dim0, dim1)


@draft.mistake(
    "this is what you get if one dim is overwritten before it is read. Both have to be read first."
)
def _without_temporary(size: Ints, stride: Ints, dim0: int, dim1: int) -> Any:
    order = list(range(len(size)))
    order[dim0] = order[dim1]
    order[dim1] = order[dim0]
    return tuple(size[dim] for dim in order), tuple(stride[dim] for dim in order)


@draft.mistake(
    "this is what you get if one dim is taken out and put in at the other's place: the dims "
    "between move too. Only two change places."
)
def _moves_one(size: Ints, stride: Ints, dim0: int, dim1: int) -> Any:
    order = list(range(len(size)))
    to = order[dim1]
    order.insert(to, order.pop(dim0))
    return tuple(size[dim] for dim in order), tuple(stride[dim] for dim in order)


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
