"""Assignment ps1: the row-major and the column-major stride of a size."""

import random
from collections.abc import Iterator
from math import prod
from typing import Any

from stridekit.checks.cases import random_sizes, small_sizes
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.pictures import draw_strides
from stridekit.checks.returns import INTS
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, contiguous_stride


def _size_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    for size in small_sizes(4 if hidden else 3, most=5):
        yield (size,)
    for size in random_sizes(800 if hidden else 150, chance, (2, 6), 10**6):
        yield (size,)


def _column_major(size: Ints) -> Ints:
    return contiguous_stride(size[::-1])[::-1]


def plainness(size: Ints) -> tuple[bool, int, Ints]:
    """The order of sizes: small ones first, but none that hides much.

    In a size such as (1, 2) or (2, 2) different mistakes give the same numbers, so these count
    for more than they are.
    """
    cost = prod(max(n, 1) for n in size)
    if 1 in size:
        cost *= 16
    if len(set(size)) < len(size):
        cost *= 4
    return 0 in size, cost, size


def _rule(size: Ints, side: str, factors: list[Ints]) -> str:
    if not size:
        return "a size without dims has a stride without dims: ()."
    zeros = ", where a 0 counts as 1" if 0 in size else ""
    parts = []
    for dim, sizes in enumerate(factors):
        counted = [max(n, 1) for n in sizes]
        product = f"{'·'.join(map(str, counted))} = " if len(sizes) > 1 else ""
        alone = "" if sizes else f", which has nothing to its {side}"
        parts.append(f"{product}{prod(counted)} for dim {dim}{alone}")
    rule = f"the stride of a dim is the product of the sizes to its {side}{zeros}"
    return f"{rule}: {'; '.join(parts)}."


def _c_rule(size: Ints) -> str:
    return _rule(size, "right", [size[dim + 1 :] for dim in range(len(size))])


def _f_rule(size: Ints) -> str:
    return _rule(size, "left", [size[:dim] for dim in range(len(size))])


def _zero_in_products(size: Ints) -> Any:
    return tuple(prod(size[dim + 1 :]) for dim in range(len(size)))


def _own_size_too(size: Ints) -> Any:
    return tuple(prod(max(n, 1) for n in size[dim:]) for dim in range(len(size)))


def _neighbour_alone(size: Ints) -> Any:
    return tuple(max(n, 1) for n in (*size[1:], 1)) if size else ()


def _in_bytes(size: Ints) -> Any:
    return tuple(8 * step for step in contiguous_stride(size))


def _c_of_reversed(size: Ints) -> Any:
    return contiguous_stride(size[::-1])


def _c_reversed(size: Ints) -> Any:
    return contiguous_stride(size)[::-1]


def _zero_in_left_products(size: Ints) -> Any:
    return tuple(prod(size[:dim]) for dim in range(len(size)))


def _left_own_size_too(size: Ints) -> Any:
    return tuple(prod(max(n, 1) for n in size[: dim + 1]) for dim in range(len(size)))


def _stride_picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    return draw_strides(case.arguments[0], expected, yours)


def _size_weight(case: Case) -> tuple[Any, ...]:
    return plainness(case.arguments[0])


_BYTES = "this is what you get in bytes, 8 to an element. Here strides count elements."

C_STRIDES = plain_exercise(
    "c_strides",
    ("size",),
    cases=_size_cases,
    reference=contiguous_stride,
    returns=INTS,
    rule=_c_rule,
    picture=_stride_picture,
    weigh=_size_weight,
    mistakes=(
        Mistake(_column_major, "this is column-major order: the last dim has to have stride 1."),
        Mistake(
            _zero_in_products,
            "this is what you get if a size of 0 is multiplied as 0. In torch it counts as 1.",
        ),
        Mistake(
            _own_size_too,
            "this is what you get if a dim's own size is multiplied in. Only the sizes to its "
            "right count, and to the right of the last dim there is none.",
        ),
        Mistake(
            _neighbour_alone,
            "this is what you get if the size next to a dim alone is its stride. A step jumps "
            "over everything to its right: multiply all of those sizes.",
        ),
        Mistake(_in_bytes, _BYTES),
    ),
)

F_STRIDES = plain_exercise(
    "f_strides",
    ("size",),
    cases=_size_cases,
    reference=_column_major,
    returns=INTS,
    rule=_f_rule,
    picture=_stride_picture,
    weigh=_size_weight,
    mistakes=(
        Mistake(
            contiguous_stride, "this is row-major order: here the first dim has to have stride 1."
        ),
        Mistake(
            _c_of_reversed,
            "this is the row-major stride of the reversed size. The stride of dim 0 stands last "
            "in it.",
        ),
        Mistake(
            _c_reversed,
            "this is the row-major stride, written backwards. Its numbers are products of the "
            "sizes to the right; here those to the left count.",
        ),
        Mistake(
            _zero_in_left_products,
            "this is what you get if a size of 0 is multiplied as 0. In torch it counts as 1.",
        ),
        Mistake(
            _left_own_size_too,
            "this is what you get if a dim's own size is multiplied in. Only the sizes to its "
            "left count, and to the left of dim 0 there is none.",
        ),
    ),
)
