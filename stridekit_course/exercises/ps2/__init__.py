"""What the exercises of ps2 share: dims that there are or not, and headers to try them on."""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Refusal
from stridekit_course.checks.pictures import draw_change
from stridekit_course.checks.strategies import (
    LARGE_STEPS,
    RUN_TOGETHER,
    crossed_layouts,
    small_layouts,
)

WRAPPED = "if a dim that is not there is wrapped around, such as with %. Refuse it first."
# What the texts say: so many dims, and the greatest size.
DIMS_MOST, SIZE_MOST = 12, 300
# Two dims that are alike, and no neighbours; numbers that no float holds.
TWINS = Layout((2, 3, 2), (5, 1, 5), 4)
HUGE = Layout((2, 3), (2**53 + 1, 2), 10**17 + 1)
# Strides and offsets of a grid: with gaps, row-major, column-major, expanded, overlapping.
_GRIDS = (((7, 2), 4), ((3, 1), 0), ((1, 3), 4), ((0, 1), 0), ((3, 3), 1))


def dims_of(rank: int) -> range:
    """Every way to name a dim: 0 to rank - 1, and -rank to -1."""
    return range(-rank, rank)


def bad_dims(rank: int) -> Ints:
    """Some dims that are not there, the nearest first: also far outside, and of two digits."""
    return (rank, -rank - 1, 2 * rank + 1, -2 * rank - 3, rank + 9, -rank - 100)


def of_many_dims(rank: int) -> Layout:
    """A header with dims of two digits, if there are so many; some of its numbers are equal."""
    return Layout(((2, 3, 1, 4) * 3)[:rank], (60, 7, 7, 1, 0, 12, 2, 300, 5, 3, 11, 20)[:rank], 2)


def every_dim(hidden: bool) -> Iterator[tuple[Layout, int]]:
    """Hidden, each dim of a header of each rank, from the left and from the right in turn."""
    for rank in range(1, DIMS_MOST + 1) if hidden else ():
        yield from ((of_many_dims(rank), dim - rank * (dim % 2)) for dim in range(rank))


def small_grids(sizes: Iterable[Ints], count: int = 5) -> Iterator[Layout]:
    """Those sizes of two dims, each under the first few strides and offsets."""
    for size, (stride, offset) in product(sizes, _GRIDS[:count]):
        yield Layout(size, stride, offset)


def some_layouts(hidden: bool, count: int, ranks: Iterable[int]) -> Iterator[Layout]:
    """Small headers, hidden more of them and each size under so many strides; then larger ones."""
    yield from small_layouts(1, (0, 5), (0, 4))
    few = ((2, 3), (1, 2), (0, 2), (2, 2))
    yield from small_grids(few, min(count, 3))
    yield from small_grids(product(range(4), repeat=2), count) if hidden else ()
    yield from map(of_many_dims, ranks)
    yield from (TWINS, HUGE, *RUN_TOGETHER[:2])


def crossed_dims(
    chance: random.Random,
    times: int,
    most: int = DIMS_MOST,
    *,
    in_result: bool = False,
    **more: Iterable[Any],
) -> Iterator[tuple[Layout, int, Any]]:
    """Larger headers, each with one of its dims, counted from either side, or with none of them.

    With `in_result` they are those of a result that has one more.
    """
    options: dict[str, Any] = {"side": ("left", "right", "left", "right", "none"), **more}
    for layout, row in crossed_layouts(
        chance,
        range(1, most + 1),
        steps=LARGE_STEPS,
        offsets=(0, 1, 3, 300, HUGE.storage_offset),
        most=10**9,
        times=times,
        **options,
    ):
        rank = layout.ndim + in_result
        dim = chance.randrange(rank) - (rank if row.side == "right" else 0)
        yield layout, chance.choice(bad_dims(rank)) if row.side == "none" else dim, row


def _is_late(size: Ints, stride: Ints, *others: Any) -> tuple[object, ...]:
    """What makes a case come late: many dims, large numbers, what is special or equal."""
    repeats = sum(len(numbers) - len({*numbers}) for numbers in (size, stride))
    numbers = (*size, *stride, *(each for each in others if type(each) is int))
    large = len(size) > 6 or max(map(abs, numbers), default=0) > 60
    return len(size) == 1, large, 1 in size, 0 in stride, repeats > 0


def exercise_on_dims(
    name: str,
    parameters: tuple[str, ...],
    *,
    named: tuple[str, ...] = (),
    in_result: bool = False,
    reference: Callable[..., Any],
    rule: Callable[..., str],
    begins: Callable[..., Ints] | None = None,
    **parts: Any,
) -> Exercise:
    """An exercise whose cases begin with a size and a stride.

    `named` are the parameters that name dims, one or several each. A dim that is not there is
    refused, and explained, before the reference and the rule are asked. With `in_result` dims
    count in the result, which has one more. `begins` says which index of the given tensor is the
    first one in the result: the picture shows the way there.
    """
    places = [parameters.index(each) for each in named]
    whose = "the result, a tensor" if in_result else "a tensor"

    def refusal(arguments: tuple[Any, ...]) -> Refusal | None:
        rank = len(arguments[0]) + in_result
        for place in places:
            dims = arguments[place] if isinstance(arguments[place], tuple) else (arguments[place],)
            for dim in dims:
                if dim not in dims_of(rank):
                    there = f"none of the dims {-rank} to {rank - 1} of {whose} of rank {rank}"
                    why = f"{dim} is {there}" if rank else f"{whose} of rank 0 has no dims"
                    return Refusal("IndexError", why)
        return None

    def explained(*arguments: Any) -> str:
        if refusal(arguments) is None:
            return rule(*arguments)
        rank = len(arguments[0])
        counts = f"the new dim counts in the result, of rank {rank} + 1 = {rank + 1}: "
        return (counts if in_result else "") + _rule_of_dims(rank + in_result)

    def picture(expected: Plain, outcome: Outcome, *given: Any) -> Diagram | None:
        shows_way = expected is not None and 0 not in expected[0]
        first = begins(*given) if begins and shows_way else None
        return draw_change(given[:3], expected, outcome.value, first)

    return Exercise(
        name,
        parameters,
        reordered=("size", "stride", *(("dims",) if "dims" in named else ())),
        reference=lambda *arguments: refusal(arguments) or reference(*arguments),
        rule=explained,
        late=_is_late,
        picture=picture if begins else None,
        **parts,
    )


def _rule_of_dims(rank: int) -> str:
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
