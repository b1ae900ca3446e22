"""Assignment ps1: storage, index, order."""

import random
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.cases import random_sizes, small_sizes
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise, weigh_arguments
from stridekit.checks.pictures import LONGEST
from stridekit.checks.returns import INTS, WHOLE, shown
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw
from stridekit.exercises.ps1_bounds import IN_BOUNDS
from stridekit.exercises.ps1_storage import READING_ORDER, STORAGE_NEEDED, hops
from stridekit.exercises.ps1_strides import C_STRIDES, F_STRIDES, plainness
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.constructors import arange


def _position_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    small = ((rank, (0, 1, 3, 5)) for rank in range(3))
    for rank, strides in (*small, (3, (0, 1, 2, 6))) if hidden else small:
        for index in product(range(3), repeat=rank):
            for stride in product(strides, repeat=rank):
                yield from ((index, stride, offset) for offset in (0, 2))
    for _ in range(800 if hidden else 200):
        rank = chance.randint(1, 5)
        index = tuple(chance.randint(0, 9) for _ in range(rank))
        stride = tuple(chance.choice((0, 1, 2, 3, 7, 10, 60)) for _ in range(rank))
        yield index, stride, chance.choice((0, 1, 5, 24))


def _position(index: Ints, stride: Ints, storage_offset: int) -> int:
    return Layout(tuple(i + 1 for i in index), stride, storage_offset).position(index)


def _position_rule(index: Ints, stride: Ints, storage_offset: int) -> str:
    if not index:
        return (
            "without dims there is nothing to step along: the one element lies at "
            f"storage_offset, {storage_offset}."
        )
    return (
        "start at storage_offset, and go index[dim] · stride[dim] further in each dim: "
        f"{hops(index, stride, storage_offset)}."
    )


def _position_picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    index, stride, storage_offset = case.arguments
    title = f"index {shown(index)} lies at position {expected}"
    if type(yours) is int and yours != expected:
        title += f", not at {shown(yours, 20)}"
    # The smallest tensor that has this index: it ends there.
    tensor = arange(expected + 1).as_strided(tuple(i + 1 for i in index), stride, storage_offset)
    return draw({"t": tensor}, select=index, title=title)


def _position_weight(case: Case) -> tuple[Any, ...]:
    # Without dims, and where no step is taken, different mistakes look the same: later.
    index, stride, _ = case.arguments
    return not index, len(index), 0 in index or 0 in stride, *weigh_arguments(case)[2:]


def _offset_forgotten(index: Ints, stride: Ints, _storage_offset: int) -> Any:
    return sum(map(int.__mul__, index, stride))


def _stride_ignored(index: Ints, _stride: Ints, storage_offset: int) -> Any:
    return storage_offset + sum(index)


def _last_hop_alone(index: Ints, stride: Ints, storage_offset: int) -> Any:
    position = storage_offset
    for i, step in zip(index, stride, strict=True):
        position = storage_offset + i * step
    return position


def _stride_backwards(index: Ints, stride: Ints, storage_offset: int) -> Any:
    return _position(index, stride[::-1], storage_offset)


def _offset_per_dim(index: Ints, stride: Ints, storage_offset: int) -> Any:
    return sum(storage_offset + i * step for i, step in zip(index, stride, strict=True))


POSITION = plain_exercise(
    "position",
    ("index", "stride", "storage_offset"),
    cases=_position_cases,
    reference=_position,
    returns=WHOLE,
    rule=_position_rule,
    picture=_position_picture,
    weigh=_position_weight,
    mistakes=(
        Mistake(_offset_forgotten, "this is what you get if storage_offset is forgotten."),
        Mistake(
            _stride_ignored,
            "this is what you get if the index is added as it is. A step in a dim is as long as "
            "the stride of that dim.",
        ),
        Mistake(
            _last_hop_alone,
            "this is what you get if each dim begins at storage_offset again. The hops add up.",
        ),
        Mistake(_stride_backwards, "this is what you get if the stride is read backwards."),
        Mistake(
            _offset_per_dim, "this is what you get if storage_offset is added once in every dim."
        ),
    ),
)


def _unravel_cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    sizes = [*small_sizes(4 if hidden else 3, least=1)]
    for size in sizes:
        yield from ((flat, size) for flat in range(prod(size)))
    for size in random_sizes(1500 if hidden else 150, chance, (1, 6), 10**6):
        size = tuple(max(n, 1) for n in size)
        yield chance.randrange(prod(size)), size


def _unravel(flat: int, size: Ints) -> Ints:
    index = []
    for n in reversed(size):
        flat, i = divmod(flat, n)
        index.append(i)
    return tuple(reversed(index))


def _unravel_rule(flat: int, size: Ints) -> str:
    if not size:
        return "without dims there is one element, and its index is ()."
    stride = contiguous_stride(size)
    terms = [f"{i}·{step}" for i, step in zip(_unravel(flat, size), stride, strict=True)]
    return (
        "the last dim counts fastest, and each entry is smaller than its size: one step in dim d "
        f"passes as many elements as the sizes to its right make, so {flat} = {' + '.join(terms)}."
    )


def _unravel_picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    flat, size = case.arguments
    if prod(size) > LONGEST:
        return None
    title = f"element {flat} in reading order has the index {shown(expected)}"
    grid = arange(prod(size)).view(size)
    if yours != expected and _is_index(yours, size):
        title += f"; at {shown(yours)} stands element {grid.layout.position(yours)}"
    return draw({"t": grid}, select=expected, title=title)


def _unravel_weight(case: Case) -> tuple[Any, ...]:
    # From the last element back: at the first ones, different mistakes look the same.
    flat, size = case.arguments
    return *plainness(size), -flat


def _is_index(value: Plain, size: Ints) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == len(size)
        and all(type(i) is int and 0 <= i < n for i, n in zip(value, size, strict=True))
    )


def _divided_alone(flat: int, size: Ints) -> Any:
    return tuple(flat // step for step in contiguous_stride(size))


def _first_dim_fastest(flat: int, size: Ints) -> Any:
    return _unravel(flat, size[::-1])[::-1]


def _entries_backwards(flat: int, size: Ints) -> Any:
    return _unravel(flat, size)[::-1]


def _remainder_alone(flat: int, size: Ints) -> Any:
    return tuple(flat % n for n in size)


UNRAVEL = plain_exercise(
    "unravel",
    ("flat", "size"),
    cases=_unravel_cases,
    reference=_unravel,
    returns=INTS,
    rule=_unravel_rule,
    picture=_unravel_picture,
    weigh=_unravel_weight,
    mistakes=(
        Mistake(
            _divided_alone,
            "this is what you get if flat is divided by each row-major stride and that is all. "
            "What the dims to the left have used up has to be taken away first.",
        ),
        Mistake(
            _first_dim_fastest,
            "this is column-major order, where the first dim counts fastest. Here the last does.",
        ),
        Mistake(
            _entries_backwards,
            "the entries are right, and in the wrong order: the index begins with dim 0.",
        ),
        Mistake(
            _remainder_alone,
            "this is what you get if flat is never divided. Once a dim has its remainder, the "
            "next one goes on with the quotient.",
        ),
    ),
)

EXERCISES = (
    C_STRIDES,
    F_STRIDES,
    POSITION,
    UNRAVEL,
    READING_ORDER,
    STORAGE_NEEDED,
    IN_BOUNDS,
)
