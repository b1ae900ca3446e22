"""Assignment ps1: storage, index, order."""

import random
from collections.abc import Iterable
from typing import Any

from stridekit.exercises.cases import random_sizes, small_sizes
from stridekit.exercises.exercise import Arguments, Mistake, plain_exercise
from stridekit.exercises.pictures import draw_strides
from stridekit.exercises.returns import INTS
from stridekit.layout import Ints, contiguous_stride


def _size_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for size in small_sizes(4 if hidden else 3):
        yield (size,)
    for size in random_sizes(400 if hidden else 100, chance, (2, 6), 10**6):
        yield (size,)


def _ascending(size: Ints) -> Any:
    return contiguous_stride(size[::-1])[::-1]


def _zero_in_products(size: Ints) -> Any:
    stride = []
    expected = 1
    for n in reversed(size):
        stride.append(expected)
        expected *= n
    return tuple(reversed(stride))


C_STRIDES = plain_exercise(
    "c_strides",
    ("size",),
    cases=_size_cases,
    reference=contiguous_stride,
    returns=INTS,
    rule=lambda size: (
        "the stride of a dim is the product of the sizes to its right, where a 0 counts as 1"
        f": {contiguous_stride(size)}."
    ),
    picture=lambda case, expected, yours: draw_strides(case.arguments[0], expected, yours),
    mistakes=(
        Mistake(_ascending, "this is column-major order: the last dim has to have stride 1."),
        Mistake(
            _zero_in_products,
            "this is what you get if a size of 0 is multiplied as 0. In torch it counts as 1.",
        ),
    ),
)

EXERCISES = (C_STRIDES,)
