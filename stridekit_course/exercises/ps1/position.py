"""ps1, `position`: the slot in storage that an index leads to."""

import random
from itertools import product
from math import prod

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Outcome
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import WHOLE, shown
from stridekit_course.checks.strategies import crossed
from stridekit_course.exercises.ps1 import DIMS_MOST, dot, hops

_ENTRIES = (0, 0, 1, 1, 2, 3, 5, 9, 10, 11, 12, 101, 999)
# With the greatest, positions are numbers that no float holds exactly.
_STEPS = (0, 1, 1, 2, 3, 7, 10, 12, 60, 1000, 65_536, 10**14 + 1, 10**14 + 3)
_OFFSETS = (0, 1, 5, 24, 300, 10**17 + 1)
# What all entries are, or all steps: any, or one and the same.
_ALIKE = (None, None, 0, 1)


def _cases(hidden: bool, chance: random.Random) -> Given:
    yield from (((), (), offset) for offset in _OFFSETS)
    for i, step, offset in product(range(4), (0, 1, 3, 5), (0, 2)):
        yield (i,), (step,), offset
    for index in product(range(3), repeat=2):
        strides = product((0, 1, 3, 5), repeat=2)
        yield from ((index, stride, 2) for stride in strides)
        yield from ((index, stride, 0) for stride in ((3, 1), (1, 3), (0, 5), (1, 1)))
    # The same digits, told apart only where a number ends.
    for two in product((1, 2, 11, 12), repeat=2):
        yield two, (3, 1), 0
        yield (2, 3), two, 0
    # Each dim leads to another place.
    for rank in range(3, DIMS_MOST + 1):
        yield (1,) * rank, tuple(range(rank, 0, -1)), 2
        yield tuple(range(1, rank + 1)), (10, 1, *range(3, rank + 1)), 0
    rows = crossed(
        chance, rank=range(1, DIMS_MOST + 1), index=_ALIKE, steps=_ALIKE, offset=_OFFSETS
    )
    for row in [*rows] * (4 if hidden else 1):
        index, stride = (
            tuple(chance.choices(some if number is None else (number,), k=row["rank"]))
            for some, number in ((_ENTRIES, row["index"]), (_STEPS, row["steps"]))
        )
        yield index, stride, row["offset"]


def _reference(index: Ints, stride: Ints, storage_offset: int) -> int:
    return Layout(tuple(i + 1 for i in index), stride, storage_offset).position(index)


def _rule(index: Ints, stride: Ints, storage_offset: int) -> str:
    if not index:
        return (
            "without dims there is nothing to step along: the one element lies at "
            f"storage_offset, {storage_offset}."
        )
    way = hops(index, stride, storage_offset)
    return (
        "start at storage_offset, and go index[dim] × stride[dim] further in each dim: "
        f"{way if '=' in way else f'that leads to {way}'}."
    )


def _picture(
    expected: int, outcome: Outcome, index: Ints, stride: Ints, storage_offset: int
) -> Diagram | None:
    # The smallest tensor that has this index: it ends there.
    size = tuple(i + 1 for i in index)
    if max(expected, prod(size)) > LONGEST:
        return None
    title = f"index {shown(index)} lies at position {expected}"
    if type(outcome.value) is int and outcome.value != expected:
        title += f", not at {shown(outcome.value, 20)}"
    tensor = arange(expected + 1).as_strided(size, stride, storage_offset)
    return draw({"t": tensor}, select=index, title=title)


EXERCISE = Exercise(
    "position",
    ("index", "stride", "storage_offset"),
    place=3,
    returns=WHOLE,
    reordered=("index", "stride"),
    cases=_cases,
    # In two dims, of which each leads somewhere, most can go wrong where little is to be read.
    late=lambda index, stride, _: (len(index) != 2, 0 in index or 0 in stride),
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if storage_offset is forgotten.": lambda index, stride, _: dot(index, stride),
        "if the index is added as it is. A step in a dim is as "
        "long as the stride of that dim.": lambda index, _, storage_offset: (
            storage_offset + sum(index)
        ),
        "if each dim begins at storage_offset again. The hops add up.": (
            lambda index, stride, offset: offset + dot(index[-1:], stride[-1:])
        ),
        "if the stride is read backwards.": lambda index, stride, storage_offset: (
            storage_offset + dot(index, stride[::-1])
        ),
        "if storage_offset is added once in every dim.": lambda index, stride, storage_offset: (
            len(index) * storage_offset + dot(index, stride)
        ),
    },
)
