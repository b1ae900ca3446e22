"""What ps5 expands: headers, the sizes that are asked of them, and their order."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.checks.exercise import Arguments
from stridekit.checks.seam import Case
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

# What a dim of size 1 is asked to become; others only keep their size.
_FROM_ONE = (-1, 0, 1, 2, 3)
_LEADS: tuple[Ints, ...] = ((), (0,), (1,), (2,), (1, 1), (2, 1), (1, 2), (0, 3))
_MORE_LEADS: tuple[Ints, ...] = ((1, 1, 1), (2, 1, 1), (1, 2, 1, 1), (1, 0, 1))


def expansions(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """Every small one of few dims, fitting or not; large numbers; many dims, old and new ones."""
    for n in range(4):
        for leads in (*_LEADS, *_MORE_LEADS) if hidden else _LEADS:
            yield from _all_that_fit((n,), (3,), leads)
        for step, leads in product((0, 1) if hidden else (1,), _LEADS if hidden else ((), (1,))):
            yield from _all_that_fit((n,), (step,), leads)
    for n in range(4):
        for new_size in ((-2, 2), (0, -2), (-2, -1), (-1, -1), (-1, 0), (1, -1, 2), (-1, 1, 1)):
            yield from _if_it_does_not_fit((n,), (1,), new_size)
        yield from _near_misses((n,), (1,), (-3, -2, 0, 1, 2, 3))
    for size in product(range(4 if hidden else 3), repeat=2):
        steps = contiguous_stride(size)
        for leads in ((), (1,)):
            yield from _all_that_fit(size, steps, leads, _FROM_ONE if hidden else (1, 3))
        yield from _near_misses(size, steps, (-2, 0, 1, 3) if hidden else (3,))
        yield size, (2, 7), (1, -1, -1)
        yield size, (2, 7), (2, 1, 1, *size)
    if hidden:
        for size in product(range(3), repeat=3):
            for leads in ((), (1,)):
                yield from _all_that_fit(size, (5, 0, 2), leads, (-1, 3))
    yield from _large()
    for _ in range(250 if hidden else 40):
        yield _random(chance)


def _all_that_fit(
    size: Ints, stride: Ints, leads: Ints, from_one: Ints = _FROM_ONE
) -> Iterator[Arguments]:
    for kept in product(*(from_one if n == 1 else (-1, n) for n in size)):
        yield size, stride, leads + kept


def _near_misses(size: Ints, stride: Ints, others: Ints) -> Iterator[Arguments]:
    """New sizes with a dim too few, a new dim without a size, or one dim that does not fit."""
    yield size, stride, size[1:]
    yield size, stride, (-1, *size)
    yield size, stride, (2, -1, *size)
    yield size, stride, (-5, *size)
    for dim in range(len(size)):
        for wanted in others:
            new_size = (*size[:dim], wanted, *size[dim + 1 :])
            yield from _if_it_does_not_fit(size, stride, new_size)
            yield from _if_it_does_not_fit(size, stride, (2, *new_size))


def _if_it_does_not_fit(size: Ints, stride: Ints, new_size: Ints) -> Iterator[Arguments]:
    if isinstance(plan_expand(Layout(size, stride), new_size), ExpandObstacle):
        yield size, stride, new_size


def _large() -> Iterator[Arguments]:
    """Large numbers, multiples, and many dims, old ones and new ones."""
    for n, wanted in ((2, 4), (4, 2), (3, 6), (10, 1), (10, 20), (300, 600), (300, 301), (11, 1)):
        yield (n,), (1,), (wanted,)
        yield (n, 2), (2, 1), (1, wanted, 2)
    for n, step in ((12, 1), (300, 1), (300, 7), (1000, 300), (2, 2**53 + 1), (1, 2**53 + 1)):
        # As an object of its own: what counts is the number.
        own = int(f"{n}")
        yield (n,), (step,), (own,)
        yield (n,), (step,), (1, own)
        yield (n, 1), (step, 1), (1, 1, own, 12)
        yield (1, n), (step, step), (-1, -1)
    for rank in (3, 4, 5, 7):
        yield (3,), (2,), (*(1,) * (rank - 1), 3)
        yield (2, 3), (3, 1), (*(1,) * (rank - 2), -1, 3)
        yield (1,), (4,), (*(1,) * (rank - 2), 2, -1)
        yield (3,), (2,), (*(2,) * (rank - 1), 3)
        size = (*(2, 1, 3, 1, 2, 1, 1)[:rank],)
        steps = tuple(range(rank, 0, -1))
        yield size, steps, size
        yield size, steps, (-1,) * rank
        yield size, steps, tuple(4 if n == 1 else -1 for n in size)
        yield size, steps, (*size[:-1], -2)
        yield size, steps, (*size[1:], 2)
        yield size[1:], steps[1:], (1, *size[1:])
        yield size, steps, (2,) * rank


def _random(chance: random.Random) -> Arguments:
    """Any header, with up to four new dims; mostly it fits."""
    rank = chance.randint(1, 6)
    size = tuple(chance.choice((0, 1, 1, 1, 2, 3, 5, 12)) for _ in range(rank))
    stride = tuple(chance.choice((0, 1, 2, 3, 7, 12, 300)) for _ in range(rank))
    leads = [chance.choice((0, 1, 1, 1, 2, 5, 10)) for _ in range(chance.randint(0, 4))]
    kept = [chance.choice((n, -1) if n != 1 else (-1, 0, 1, 2, 6, 10)) for n in size]
    if chance.random() < 0.15:
        dim = chance.randrange(rank)
        kept[dim] = chance.choice((-2, size[dim] + 1, 2 * size[dim], 1))
    return size, stride, (*leads, *kept)


def weigh_expansion(case: Case) -> tuple[Any, ...]:
    """New sizes with a 0 come late, and before them those with nothing but ones."""
    size, stride, new_size = case.arguments
    kept = (*(1,) * (len(new_size) - len(size)), *size)
    most = max((n if n > 0 else own for n, own in zip(new_size, kept, strict=False)), default=0)
    none = 0 in new_size
    return (
        *(none, most < 2 and not none, most > 99, 0 in stride),
        *(len(new_size), len(size), new_size.count(-1)),
        *(sum(map(abs, (*size, *stride, *new_size))), repr(case.arguments)),
    )
