"""ps5, `broadcast_sizes`: the size that all sizes broadcast to."""

import random
from collections.abc import Iterable
from itertools import product, zip_longest
from math import prod
from typing import Any

from stridekit.checks.cases import random_sizes, small_sizes
from stridekit.checks.exercise import Arguments, Draft, Refusal
from stridekit.checks.pictures import LONGEST
from stridekit.checks.returns import INTS
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw
from stridekit.layouts.broadcasting import Misfit
from stridekit.layouts.broadcasting import broadcast_sizes as broadcast
from stridekit.layouts.layout import Ints
from stridekit.tensors.constructors import arange

draft = Draft("broadcast_sizes", ("*sizes",), place=1, returns=INTS)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    small = [*small_sizes(2)]
    for count in (1, 2):
        yield from product(small, repeat=count)
    yield from product(small_sizes(1), repeat=3)
    if hidden:
        yield from product(small_sizes(3, most=2), repeat=2)
        yield from product(small_sizes(2, most=2), repeat=3)
        for size in product(range(4), repeat=3):
            for other in small_sizes(1):
                yield size, other
                yield other, size
    for size in random_sizes(600 if hidden else 150, chance, (2, 5), 10**6):
        yield _sizes_that_fit(size, chance, spoil=chance.random() < 0.2)


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """Few and short sizes first; those with a 0 after all that have elements."""
    numbers = [n for size in case.arguments for n in size]
    return 0 in numbers, len(case.arguments), len(numbers), sum(numbers), repr(case.arguments)


def _sizes_that_fit(size: Ints, chance: random.Random, *, spoil: bool) -> Arguments:
    """Two to four sizes that broadcast to this one at most; mostly not if spoilt."""
    sizes = []
    for _ in range(chance.randint(2, 4)):
        part = [n if chance.random() < 0.6 else 1 for n in size]
        sizes.append(part[chance.choice((0, 0, 1, len(size) - 1)) :])
    if spoil:
        chosen = chance.choice(sizes)
        chosen[chance.randrange(len(chosen))] += 1
    return tuple(map(tuple, sizes))


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


@draft.mistake("this is what you get if only the first two sizes are looked at.")
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


EXERCISE = draft.exercise()
