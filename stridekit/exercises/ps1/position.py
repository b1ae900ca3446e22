"""ps1, `position`: the slot in storage that an index leads to."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.returns import WHOLE, shown
from stridekit.checks.seam import Case, Plain
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram, draw
from stridekit.exercises.ps1.headers import hops
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange

draft = Draft("position", ("index", "stride", "storage_offset"), place=3, returns=WHOLE)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
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


@draft.reference
def _reference(index: Ints, stride: Ints, storage_offset: int) -> int:
    return Layout(tuple(i + 1 for i in index), stride, storage_offset).position(index)


@draft.rule
def _rule(index: Ints, stride: Ints, storage_offset: int) -> str:
    if not index:
        return (
            "without dims there is nothing to step along: the one element lies at "
            f"storage_offset, {storage_offset}."
        )
    return (
        "start at storage_offset, and go index[dim] · stride[dim] further in each dim: "
        f"{hops(index, stride, storage_offset)}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    index, stride, storage_offset = case.arguments
    title = f"index {shown(index)} lies at position {expected}"
    if type(yours) is int and yours != expected:
        title += f", not at {shown(yours, 20)}"
    # The smallest tensor that has this index: it ends there.
    tensor = arange(expected + 1).as_strided(tuple(i + 1 for i in index), stride, storage_offset)
    return draw({"t": tensor}, select=index, title=title)


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    # Without dims, and where no step is taken, different mistakes look the same: later.
    index, stride, _ = case.arguments
    return not index, len(index), 0 in index or 0 in stride, *weigh_arguments(case)[2:]


@draft.mistake("this is what you get if storage_offset is forgotten.")
def _offset_forgotten(index: Ints, stride: Ints, _storage_offset: int) -> Any:
    return sum(map(int.__mul__, index, stride))


@draft.mistake(
    "this is what you get if the index is added as it is. A step in a dim is as long as "
    "the stride of that dim."
)
def _stride_ignored(index: Ints, _stride: Ints, storage_offset: int) -> Any:
    return storage_offset + sum(index)


@draft.mistake("this is what you get if each dim begins at storage_offset again. The hops add up.")
def _last_hop_alone(index: Ints, stride: Ints, storage_offset: int) -> Any:
    position = storage_offset
    for i, step in zip(index, stride, strict=True):
        position = storage_offset + i * step
    return position


@draft.mistake("this is what you get if the stride is read backwards.")
def _stride_backwards(index: Ints, stride: Ints, storage_offset: int) -> Any:
    return _reference(index, stride[::-1], storage_offset)


@draft.mistake("this is what you get if storage_offset is added once in every dim.")
def _offset_per_dim(index: Ints, stride: Ints, storage_offset: int) -> Any:
    return sum(storage_offset + i * step for i, step in zip(index, stride, strict=True))


EXERCISE = draft.exercise()
