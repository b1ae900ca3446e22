"""ps1, `unravel`: the index of the flat-th element in reading order."""

import random
from itertools import permutations
from math import prod

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import INTS, shown
from stridekit_course.checks.strategies import any_size, crossed, small_sizes
from stridekit_course.exercises.ps1 import DIMS_MOST, NUMEL_MOST, is_plain


def _cases(hidden: bool, chance: random.Random) -> Given:
    for size in small_sizes(3, least=1):
        yield from ((flat, size) for flat in range(prod(size)))
    # As many elements, in another order of dims.
    for size in permutations((1, 2, 3, 4)):
        yield from ((flat, size) for flat in (range(24) if hidden else (5, 17, 22)))
    # Entries of two digits; 49 × (1 / 49) is less than 1.
    for size in ((12, 3), (3, 12), (2, 11, 2), (5, 49), (251,)):
        yield from ((flat, size) for flat in range(prod(size) - 1, 0, -13 if hidden else -39))
    # Told apart by where a number ends.
    yield from ((1, size) for size in ((12, 3), (1, 2, 3)))
    for rank in range(4, 9):
        yield from ((flat, (2,) * rank) for flat in (2**rank - 1, 2**rank - 2, 2 ** (rank - 1) - 1))
        yield 0, (1,) * rank
    for size in permutations((2, 3, 4, 5)) if hidden else ():
        yield from ((flat, size) for flat in range(7, 120, 16))
    for row in crossed(
        chance,
        rank=range(1, DIMS_MOST + 1),
        sizes=("twos", "mixed", "alike", "ones", "wide"),
        # Which element: a part of them all, so that any dim may lead on.
        part=(1.0, 0.9, 0.7, 0.5, 0.35, 0.2, 0.05) if hidden else (1.0, 0.6, 0.3),
    ):
        size = any_size(chance, row["rank"], row["sizes"], NUMEL_MOST)
        yield max(int(prod(size) * row["part"]) - 1, 0), size


def _reference(flat: int, size: Ints) -> Ints:
    index = []
    for n in reversed(size):
        flat, i = divmod(flat, n)
        index.append(i)
    return tuple(reversed(index))


def _rule(flat: int, size: Ints) -> str:
    if not size:
        return "without dims there is one element, and its index is ()."
    stride = contiguous_stride(size)
    index = _reference(flat, size)
    terms = [f"{i}×{step}" for i, step in zip(index, stride, strict=True)]
    if len(terms) > 6:
        # Only the steps that are taken.
        taken = [f"{terms[dim]} in dim {dim}" for dim, i in enumerate(index) if i]
        terms = taken or ["0 steps in every dim"]
    return (
        "the last dim runs fastest, and each entry is smaller than its size: one step in dim d "
        f"passes as many elements as the sizes to its right make, so {flat} = {' + '.join(terms)}."
    )


def _picture(expected: Plain, outcome: Outcome, flat: int, size: Ints) -> Diagram | None:
    yours = outcome.value
    title = f"element {flat} in reading order has the index {shown(expected)}"
    grid = arange(prod(size)).view(size)
    if yours != expected and _is_index(yours, size):
        title += f"; at {shown(yours)} stands element {grid.layout.position(yours)}"
    return draw({"t": grid}, select=expected, title=title)


def _is_index(value: Plain, size: Ints) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == len(size)
        and all(type(i) is int and 0 <= i < n for i, n in zip(value, size, strict=True))
    )


EXERCISE = Exercise(
    "unravel",
    ("flat", "size"),
    place=4,
    returns=INTS,
    reordered=("size",),
    cases=_cases,
    late=lambda flat, size: (
        is_plain(size),
        # From the last element back: at the first ones, different mistakes look the same.
        prod(size),
        prod(size) - flat,
    ),
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if flat is divided by each row-major stride and that is all. What the dims to the left "
        "have used up has to be taken away first.": lambda flat, size: tuple(
            flat // step for step in contiguous_stride(size)
        ),
        "this is column-major order, where the first dim "
        "runs fastest. Here the last does.": lambda flat, size: _reference(flat, size[::-1])[::-1],
        "the entries are right, and in the wrong "
        "order: the index begins with dim 0.": lambda flat, size: _reference(flat, size)[::-1],
        "if flat is never divided. Once a dim has its remainder, the next one goes on with the "
        "quotient.": lambda flat, size: tuple(flat % n for n in size),
        "if one step in a dim passes as many elements as the size next to it says. It passes the "
        "product of all sizes to its right.": lambda flat, size: tuple(
            flat // step % n for n, step in zip(size, (*size[1:], 1), strict=True)
        ),
    },
)
