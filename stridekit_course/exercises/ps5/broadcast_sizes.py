"""ps5, `broadcast_sizes`: the size that all sizes broadcast to."""

import random
from collections.abc import Callable, Iterable
from itertools import pairwise, product, starmap, zip_longest
from math import prod
from operator import itemgetter
from typing import Any

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.broadcasting import Misfit
from stridekit.layouts.broadcasting import broadcast_sizes as broadcast
from stridekit.layouts.layout import Ints
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import small_sizes
from stridekit_course.checks.exercise import Arguments, Draft, Refusal
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import INTS

draft = Draft("broadcast_sizes", ("*sizes",), place=1, returns=INTS)


# What may stand at one place: two digits, equal sums and products, one factor of another,
# numbers that are one to a float, ones between, zeros.
_TELLING: tuple[Ints, ...] = (
    *((2, 4), (3, 6), (9, 10), (1, 11), (11, 11), (11, 1, 111), (10, 100), (300, 0)),
    *((3, 2, 4), (4, 2, 8), (6, 3, 12), (4, 1, 2), (2**53, 2**53 + 1), (2, 1, 3, 1)),
    *((300, 300), (1000, 1, 1000), (2**53 + 1, 1, 2**53 + 1), (2**31, 2**31)),
    *((1, 1, 1, 2), (1, 1, 1, 1, 3), (2, 1, 1, 1, 3), (1, 1, 1, 1, 1, 0), (0, 1, 1, 1, 5)),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    small, ones = [*small_sizes(2)], [*small_sizes(2, most=2, least=1)]
    yield from ((size,) for size in small)
    if hidden:
        yield from product(small, repeat=2)
        yield from product(ones, repeat=3)
        for size, other in product(product(range(3), repeat=3), ones):
            yield size, other
            yield other, size
    else:
        yield from product(small_sizes(2, most=2), repeat=2)
        yield from product(small_sizes(1), repeat=2)
    yield from product(small_sizes(1), repeat=3)
    yield from _telling()
    for _ in range(260 if hidden else 50):
        yield _sizes_that_fit(chance)


def _telling() -> Iterable[Arguments]:
    """Larger numbers, and more sizes and dims, where they make a difference."""
    for each in _TELLING:
        # As objects of their own: numbers are equal or not, whether or not they are the same one.
        own = [int(f"{n}") for n in each]
        yield tuple((n,) for n in own)
        yield tuple((n, 3)[: 1 + k % 2] if n == 1 else (n, 1) for k, n in enumerate(own))
    for count in (4, 5, 6, 7):
        yield tuple((2,) * (k % 2) + (1,) * k for k in range(count))
        yield ((),) * (count - 1) + ((3,),)
        yield tuple((1,) * k + (2,) + (1,) * (count - k - 1) for k in range(count))
        yield (count,) * count, (1,) * (count - 1) + (2,)
        yield (2,) + (1,) * (count - 1), (3,)
    yield (2, 1, 1, 1, 1, 1, 1), (2, 3, 1, 1, 1, 1), (1, 1, 1, 1, 1, 7)
    yield (2, 1), (3,), (1, 3)
    yield (1,), (1, 2), (3, 1)
    yield (2, 1), (1, 3), (2, 2)
    yield (5,), (), (5,), (4,)


def _sizes_that_fit(chance: random.Random) -> Arguments:
    """Two to six sizes that broadcast to one of them at most; mostly not if spoilt."""
    size = [chance.choice((0, 1, 2, 3, 4, 5, 7, 10, 12, 300)) for _ in range(chance.randint(2, 7))]
    sizes = []
    for _ in range(chance.randint(2, 6)):
        part = [int(f"{n}") if chance.random() < 0.6 else 1 for n in size]
        sizes.append(part[chance.choice((0, 0, 1, len(size) - 1)) :])
    if chance.random() < 0.25:
        chosen = chance.choice(sizes)
        dim = chance.randrange(len(chosen))
        chosen[dim] = chance.choice((chosen[dim] + 1, 2 * chosen[dim], 0))
    return tuple(map(tuple, sizes))


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """Few and short sizes first, but those with something to see in them before the others."""
    sizes = case.arguments
    numbers = [n for size in sizes for n in size]
    nothing = len(sizes) == 1 or () in sizes or max(numbers) < 2
    return 0 in numbers, nothing, len(sizes), len(numbers), sum(numbers), repr(sizes)


@draft.reference
def _reference(*sizes: Ints) -> Plain:
    outcome = broadcast(*sizes)
    if not isinstance(outcome, Misfit):
        return outcome
    return Refusal(
        "ValueError",
        f"aligned at the right, dim -{outcome.place} is {outcome.first} in one size and "
        f"{outcome.second} in another",
    )


@draft.rule
def _rule(*sizes: Ints) -> str:
    outcome = broadcast(*sizes)
    if isinstance(outcome, Misfit):
        return (
            "aligned at the right, sizes must be equal at every place, or one of them 1: at "
            f"dim -{outcome.place} stand {outcome.first} and {outcome.second}."
        )
    if len(sizes) == 1:
        return "a single size has nothing to give way to: it stays as it is."
    if not outcome:
        return "rank 0 has no dims, so there is nothing to align: the size is ()."
    clauses = []
    for place in range(1, len(outcome) + 1):
        here = [str(size[-place]) if place <= len(size) else "none" for size in sizes]
        gives = outcome[-place]
        clauses.append(f"dim -{place} has {', '.join(here[:-1])} and {here[-1]}, so {gives}")
    return (
        "align the sizes at the right, count a missing dim as 1, and let 1 give way, to 0 too: "
        f"{'; '.join(clauses)}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, _: Plain) -> Diagram | None:
    sizes = case.arguments
    if max(prod(size) for size in sizes) > LONGEST or (expected and prod(expected) > LONGEST):
        return None
    tensors = {
        f"sizes[{number}]": arange(prod(size)).view(size) for number, size in enumerate(sizes)
    }
    if expected is not None:
        tensors = {name: tensor.expand(expected) for name, tensor in tensors.items()}
    return draw(tensors)


def _combined(places: Iterable[Ints], *, refuses: bool, larger: bool = False) -> Any:
    """What comes of the sizes that stand at each place, in one of a few wrong ways."""
    result = []
    for here in places:
        others = {n for n in here if n != 1}
        if refuses and len(others) > 1:
            raise ValueError
        result.append(max(here) if larger or not others else max(others))
    return tuple(result)


def _from_the_right(sizes: tuple[Ints, ...]) -> list[Ints]:
    return [*zip_longest(*(size[::-1] for size in sizes), fillvalue=1)]


_LEFT = "this is what you get if the sizes are aligned at the left. Their last dims stand together."


@draft.mistake(_LEFT)
def _aligned_left(*sizes: Ints) -> Any:
    return _combined(zip_longest(*sizes, fillvalue=1), refuses=True)


@draft.mistake(_LEFT)
def _left_larger(*sizes: Ints) -> Any:
    return _combined(zip_longest(*sizes, fillvalue=1), refuses=True, larger=True)


@draft.mistake(
    "this is what you get if all sizes must have the same number of dims. A missing "
    "dim counts as 1."
)
def _same_rank_only(*sizes: Ints) -> Any:
    if len(set(map(len, sizes))) > 1:
        raise ValueError
    return _combined(_from_the_right(sizes), refuses=True)[::-1]


@draft.mistake("these are the right sizes, from the last dim to the first.")
def _reversed_result(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes), refuses=True)


@draft.mistake(
    "this is what you get if only the first few sizes are looked at. There may be more than two."
)
def _first_two(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes[:2]), refuses=True)[::-1]


@draft.mistake(
    "this is what you get if 0 wins against every size. It is a size as others are: "
    "only 1 gives way to it."
)
def _zero_fits_all(*sizes: Ints) -> Any:
    places = _from_the_right(sizes)
    return tuple(0 if 0 in here else _combined([here], refuses=True)[0] for here in places)[::-1]


@draft.mistake("this is what you get if the larger size wins. 1 gives way to any other, to 0 too.")
def _larger_wins(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes), refuses=True, larger=True)[::-1]


@draft.mistake("this is what you get if sizes that do not fit are not refused.")
def _never_refuses(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes), refuses=False)[::-1]


def _at_each_place(refuses: Callable[[Ints], bool], pick: Callable[[list[int]], int]) -> Any:
    """A wrong way: what it refuses of the sizes at one place, and which one it picks of others."""

    def broadcast_sizes(*sizes: Ints) -> Ints:
        result = []
        for here in _from_the_right(sizes):
            if refuses(here):
                raise ValueError
            result.append(pick([n for n in here if n != 1] or [1]))
        return tuple(result[::-1])

    return broadcast_sizes


def _unlike(a: int, b: int) -> bool:
    return a != b and 1 not in (a, b)


for _pick in (itemgetter(0), itemgetter(-1), max):
    draft.mistake(
        "this is what you get if a 1 among them lets all sizes at a place pass. Those that are "
        "not 1 must be equal to each other.",
        _at_each_place(lambda here: len({*here}) > 1 and 1 not in here, _pick),
    )
    draft.mistake(
        "this is what you get if each size is only compared with the next one. With a 1 between "
        "them, two others may differ.",
        _at_each_place(lambda here: any(starmap(_unlike, pairwise(here))), _pick),
    )
    draft.mistake(
        "this is what you get if each size is only compared with the first one. Two others may "
        "differ where that has 1.",
        _at_each_place(lambda here: any(_unlike(here[0], n) for n in here), _pick),
    )
draft.mistake(
    "this is what you get if 0 gives way as 1 does. Only 1 does: 0 and 2 do not fit.",
    _at_each_place(lambda here: len({*here} - {0, 1}) > 1, max),
)
draft.mistake(
    "this is what you get if a size gives way to its multiples. Only 1 gives way.",
    _at_each_place(
        lambda here: any(n == 0 != max(here) or (n and max(here) % n) for n in here), max
    ),
)
EXERCISE = draft.exercise()
