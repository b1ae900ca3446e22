"""What the exercises of ps2 share: small headers, bad dims, the order of cases, the picture."""

import random
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_sizes
from stridekit.checks.exercise import Reference, Refusal, weigh_arguments
from stridekit.checks.pictures import as_layout, draw_headers
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout

# A grid's strides and its offset: row-major, column-major, expanded, padded with gaps.
GRIDS = (((3, 1), 0), ((1, 2), 4), ((0, 1), 0), ((7, 2), 4))
BLOCKS = (((9, 3, 1), 0), ((1, 4, 2), 5), ((0, 8, 3), 0))


def small_headers(rank: int) -> Iterator[Layout]:
    """Every size of that rank from 0 to 3, under a few strides and offsets."""
    for size in small_sizes(rank):
        if len(size) == rank:
            for stride, offset in _STRIDES[rank]:
                yield Layout(size, stride, offset)


_STRIDES: dict[int, tuple[tuple[Ints, int], ...]] = {
    0: (((), 0), ((), 4)),
    1: tuple(((step,), offset) for step in (0, 1, 2, 5) for offset in (0, 4)),
    2: GRIDS,
    3: BLOCKS,
}


def small_pairs(rank: int) -> Iterator[tuple[Ints, Ints]]:
    """Every size of that rank from 0 to 3, with strides: all of a small set up to rank 2."""
    strides = [stride for stride, _ in _STRIDES[rank]] if rank != 1 else []
    if rank < 3:
        strides += product((0, 3, 5), repeat=rank)
    for size in small_sizes(rank):
        if len(size) == rank:
            for stride in dict.fromkeys(strides):
                yield size, stride


def random_headers(count: int, chance: random.Random) -> Iterator[tuple[Layout, int]]:
    """Larger headers, each with one of its dims, counted from either side."""
    for layout in random_layouts(count, chance):
        yield layout, chance.randrange(-layout.ndim, layout.ndim)


def dims_of(rank: int) -> range:
    """Every way to name a dim: 0 to rank - 1, and -rank to -1."""
    return range(-rank, rank)


def bad_dims(rank: int) -> Ints:
    """The nearest dims that are not there."""
    return (rank, -rank - 1)


def no_dim(dim: int, rank: int) -> Refusal | None:
    """The refusal of a dim that is not there."""
    if dim in dims_of(rank):
        return None
    if not rank:
        return Refusal("IndexError", "a tensor of rank 0 has no dims")
    return Refusal(
        "IndexError", f"{dim} is none of the dims {-rank} to {rank - 1} of a tensor of rank {rank}"
    )


def rule_of_dims(rank: int) -> str:
    """Which dims there are, as a sentence."""
    if not rank:
        return "rank 0 means that there are no dims, so no dim can be named."
    if rank == 1:
        return "the one dim is called 0, or -1 counted from the right; nothing else is a dim."
    join = "and" if rank == 2 else "to"
    return (
        f"rank {rank} has the dims 0 {join} {rank - 1}, which are {-rank} {join} -1 counted from "
        "the right; nothing else is a dim."
    )


def with_dim(numbers: Ints, dim: int, number: int) -> Ints:
    """The numbers with another one for that dim."""
    return tuple(number if d == dim % len(numbers) else n for d, n in enumerate(numbers))


def without_dim(numbers: Ints, dim: int) -> Ints:
    """The numbers without that of one dim."""
    return tuple(n for d, n in enumerate(numbers) if d != dim % len(numbers))


def simplest_first(reference: Reference) -> Callable[[Case], tuple[Any, ...]]:
    """Cases in the order in which they teach: the plain small ones before the special ones.

    A function that is wrong on plain cases and refuses nothing either should hear of the plain
    cases first, and see a picture with more than one element.
    """

    def weigh(case: Case) -> tuple[Any, ...]:
        size, stride = case.arguments[:2]
        expected = reference(*case.arguments)
        if isinstance(expected, Refusal):
            return (True, *weigh_arguments(case))
        least = min(expected[0], default=2)
        repeats = sum(len(numbers) - len(set(numbers)) for numbers in (size, stride))
        special = (not size, 0 in size, 1 in size, least == 0, least == 1, 0 in stride, repeats)
        return (False, prod(size) > 12, *special, *weigh_arguments(case))

    return weigh


def draw_header_change(
    given: tuple[Ints, Ints, int], expected: Plain, returned: Plain, select: Ints | None = None
) -> Diagram | None:
    """What was given, what is expected, and what came back, over one storage.

    A result may be a header, or a size and a stride, which begin where the given one does.
    `select` is an index of what was given: the way to it is shown.
    """
    headers = {
        "given": given,
        "expected": _as_header(expected, given[2]),
        "yours": _as_header(returned, given[2]),
    }
    if as_layout(given) is None:
        select = None
    return draw_headers({name: each for name, each in headers.items() if each}, select=select)


def _as_header(value: Plain, offset: int) -> Plain:
    """The value as a header that can be drawn, or None."""
    if not isinstance(value, tuple):
        return None
    if SIZE_AND_STRIDE.complaint(value) is None:
        value = (*value, offset)
    layout = as_layout(value)
    # What a learner returns may be no tensor at all, or one of more elements than can be counted.
    if layout is None or min(layout.stride, default=0) < 0 or prod(layout.size) > 10**6:
        return None
    return value
