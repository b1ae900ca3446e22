"""ps4, `seams`: where neighbouring dims cannot merge."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw_view
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import small_layouts
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.returns import LIST_OF_INTS
from stridekit_course.exercises.ps4 import (
    KINDS,
    chance_layout,
    counting_tensor,
    kept_dims,
    of_many_dims,
    plain_first,
    seams_of,
    strided,
    with_one,
)

# The most that comes, as the text says it.
DIMS_MOST = 12

_IN_ALL_KINDS = ((2, 2, 2), (2, 3, 2), (2, 2, 3), (3, 2, 2), (2, 3, 2, 2), (3, 2, 2, 3))
# Sizes with two digits. A quotient of such strides is rounded.
_LARGE = ((2, 3), (10, 11), (3, 1, 12))
draft = Draft("seams", ("size", "stride"), place=4, returns=LIST_OF_INTS)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in _layouts(hidden, chance):
        yield layout.size, layout.stride


def _layouts(hidden: bool, chance: random.Random) -> Iterator[Layout]:
    yield from small_layouts(2, (0, 1, 2, 3, 6) if hidden else (0, 1, 2, 3), least=1)
    for size in _IN_ALL_KINDS if hidden else _IN_ALL_KINDS[:2]:
        yield from (strided(size, kinds) for kinds in product(KINDS, repeat=len(size) - 1))
    yield from _with_ones((0, 2, 5) if hidden else (5,))
    for rank in (5, 7, DIMS_MOST) if hidden else (5, DIMS_MOST):
        yield from (layout for layout, _ in of_many_dims(rank))
    for large, kind, last in product(_LARGE, KINDS, (100_001, 2**54 + 1)):
        yield strided(large, (kind,) * (len(large) - 1), last)
    if hidden:
        yield from (each for each in small_layouts(3, (1, 2, 4), least=1) if each.ndim == 3)
    for _ in range(200 if hidden else 40):
        yield chance_layout(chance)


def _with_ones(steps: Ints) -> Iterator[Layout]:
    """A 1 at every place, and several, with strides that may seem to merge."""
    for kind in KINDS:
        layout = strided((2, 3), (kind,))
        for place, step in product(range(3), (*steps, 1, 3)):
            yield Layout(with_one((2, 3), place), with_one(layout.stride, place, step))
        left, right = layout.stride
        yield Layout((2, 1, 1, 1, 3), (left, 6, 0, 9, right))
    for kinds in product(KINDS, repeat=2):
        first, second, third, _ = strided((2, 3, 2, 2), (*kinds, "gap")).stride
        yield Layout((2, 1, 3, 1, 1, 2), (first, 2, second, 0, 9, third))
        ones = (first, 6, 0, 9, second, 2, 2, 0, 9, 5, third, 1)
        yield Layout((2, 1, 1, 1, 3, 1, 1, 1, 1, 1, 2, 2), ones)


@draft.rule
def _rule(size: Ints, stride: Ints) -> str:
    kept = kept_dims(size)
    if len(kept) < 2:
        return "a seam lies between two dims of size 2 or more, and there are fewer than two."
    verdicts = []
    for left, right in pairwise(kept):
        n, step = size[right], stride[right]
        joined = "merge" if stride[left] == n * step else "do not merge"
        verdicts.append(
            f"dims {left} and {right} {joined}, because stride[{left}] is {stride[left]} and "
            f"size[{right}] × stride[{right}] is {n} × {step} = {n * step}"
        )
    dropped = "with the dims of size 1 dropped, " if 1 in size else ""
    return f"{dropped}{'; '.join(verdicts)}."


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    """The two dims in dispute, as they would have to merge."""
    size, stride = case.arguments
    kept = kept_dims(size)
    layout = as_layout((size, stride, 0))
    if layout is None or len(kept) < 2:
        return draw_headers({"given": (size, stride, 0)})
    claimed = yours if isinstance(yours, list) else []
    missed = [dim for dim in expected if dim not in claimed]
    wrong = [dim for dim in kept[:-1] if dim in claimed and dim not in expected]
    left = [*missed, *wrong, *expected, kept[0]][0]
    right = kept[kept.index(left) + 1]
    merged = (*size[:left], size[left] * size[right], *size[right + 1 :])
    return draw_view(counting_tensor(layout), merged, title="given")


draft.reference(seams_of)
draft.weigh(plain_first)


@draft.mistake("this is what you get if the right dim of each pair is listed. List the left one.")
def _right_of_pair(size: Ints, stride: Ints) -> Any:
    kept = kept_dims(size)
    found = seams_of(size, stride)
    return [kept[kept.index(left) + 1] for left in found]


@draft.mistake(
    "this is what you get if the dims are numbered anew once those of size 1 are gone. "
    "List the numbers that they had."
)
def _renumbered(size: Ints, stride: Ints) -> Any:
    kept = kept_dims(size)
    return [kept.index(left) for left in seams_of(size, stride)]


@draft.mistake(
    "this is what you get if the dim just before the right one is listed, though its size "
    "is 1. List the left dim of the pair."
)
def _next_to_left(size: Ints, stride: Ints) -> Any:
    kept = kept_dims(size)
    return [kept[kept.index(left) + 1] - 1 for left in seams_of(size, stride)]


@draft.mistake("this is what you get if dims of size 1 are not dropped.")
def _not_dropped(size: Ints, stride: Ints) -> Any:
    dims = range(len(size) - 1)
    return [dim for dim in dims if stride[dim] != size[dim + 1] * stride[dim + 1]]


@draft.mistake(
    "this is what you get if the size of the left dim is used. The left stride has to "
    "jump over the right dim, so the right size counts."
)
def _own_size(size: Ints, stride: Ints) -> Any:
    pairs = pairwise(kept_dims(size))
    return [left for left, right in pairs if stride[left] != size[left] * stride[right]]


@draft.mistake(
    "this is what you get if strides are held against row-major ones. What counts is only "
    "whether a dim follows on its right neighbour, however far apart that one's steps are."
)
def _not_row_major(size: Ints, stride: Ints) -> Any:
    return [left for left in kept_dims(size)[:-1] if stride[left] != prod(size[left + 1 :])]


@draft.mistake("this is what you get if the list runs from the right. It has to ascend.")
def _from_the_right(size: Ints, stride: Ints) -> Any:
    return seams_of(size, stride)[::-1]


EXERCISE = draft.exercise()
