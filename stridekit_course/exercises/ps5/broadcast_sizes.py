"""ps5, `broadcast_sizes`: the size that all sizes broadcast to."""

import random
from collections.abc import Callable
from itertools import pairwise, product, starmap, zip_longest
from math import prod
from operator import itemgetter

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.broadcasting import Misfit
from stridekit.layouts.broadcasting import broadcast_sizes as broadcast
from stridekit.layouts.layout import Ints
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Arguments, Exercise, Given, Refusal
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import any_size, crossed, put, small_sizes

# What may stand at one place: two digits, equal sums and products, one factor of another,
# numbers that are one to a float, ones between, zeros.
_TELLING: tuple[Ints, ...] = (
    *((2, 4), (3, 6), (9, 10), (1, 11), (11, 11), (11, 1, 111), (10, 100), (300, 0)),
    *((3, 2, 4), (4, 2, 8), (6, 3, 12), (4, 1, 2), (2**53, 2**53 + 1), (2, 1, 3, 1)),
    *((300, 300), (1000, 1, 1000), (2**53 + 1, 1, 2**53 + 1), (2**31, 2**31)),
    *((1, 1, 1, 2), (1, 1, 1, 1, 3), (2, 1, 1, 1, 3), (1, 1, 1, 1, 1, 0), (0, 1, 1, 1, 5)),
)


def _cases(hidden: bool, chance: random.Random) -> Given:
    small, ones = [*small_sizes(2)], [*small_sizes(2, most=2, least=1)]
    yield from ((size,) for size in small)
    if hidden:
        yield from product(small, repeat=2)
        yield from product(ones, repeat=3)
        yield from product(product(range(3), repeat=3), ones)
    else:
        yield from product(small_sizes(2, most=2), repeat=2)
        yield from product(small_sizes(1), repeat=2)
    yield from product(small_sizes(1), repeat=3)
    yield from _telling()
    for row in crossed(
        chance,
        rank=range(1, 8),
        count=(2, 3, 4, 5, 6, 7),
        sizes=("twos", "mixed", "alike", "wide", "wide", "none", "wide none"),
        # One size is not as the others, at some place: and then they do not fit, or still do.
        spoilt=("no", "no", "more", "twice", "none", "one"),
        place=range(7),
    ):
        yield _sizes_that_fit(chance, **row)
        if hidden:
            yield _sizes_that_fit(chance, **row)[::-1]


def _telling() -> Given:
    """Larger numbers, and more sizes and dims, where they make a difference."""
    for each in _TELLING:
        yield tuple((n,) for n in each)
        yield tuple((n, 3)[: 1 + k % 2] if n == 1 else (n, 1) for k, n in enumerate(each))
    for count in (4, 5, 6, 7):
        yield tuple((2,) * (k % 2) + (1,) * k for k in range(count))
        yield ((),) * (count - 1) + ((3,),)
        yield tuple((1,) * k + (2,) + (1,) * (count - k - 1) for k in range(count))
        yield (count,) * count, (1,) * (count - 1) + (2,)
        yield (2,) + (1,) * (count - 1), (3,)
    yield (2, 1, 1, 1, 1, 1, 1), (2, 3, 1, 1, 1, 1), (1, 1, 1, 1, 1, 7)
    # They do not fit, at one place of so many.
    for rank in range(1, 8):
        for dim in range(rank):
            yield (2,) * rank, (*(2,) * dim, 3, *(2,) * (rank - dim - 1))
    # A size alone; then, among many sizes, large numbers beside a 0, and a misfit at each place.
    yield from (((5, 1, 2, 7, 2, 0, 3)[-rank:],) for rank in range(3, 8))
    for count in (4, 5, 6, 7):
        ones = tuple((1,) * k for k in range(count - 2))
        for other in (2**53 + 1, 2**53):
            yield (1, 2**53 + 1, 0), *ones, (other, 1)
        yield (2,) * 6, *ones, (3, 1, 1, 1, 1, 1)
        yield from (((2,) * 7, *ones, put((2,) * 7, dim, 3)) for dim in range(7))
    yield (2, 1), (3,), (1, 3)
    yield (1,), (1, 2), (3, 1)
    yield (2, 1), (1, 3), (2, 2)
    yield (5,), (), (5,), (4,)


def _sizes_that_fit(
    chance: random.Random, rank: int, count: int, sizes: str, spoilt: str, place: int
) -> Arguments:
    """So many sizes that broadcast to one of them at most; but for one number, if it is spoilt."""
    size = any_size(chance, rank, sizes, 10**6)
    made = [[n if chance.random() < 0.6 else 1 for n in size] for _ in range(count)]
    made = [each[chance.choice((0, 0, 1, rank - 1)) :] for each in made]
    each = chance.choice([each for each in made if each] or [[1]])
    dim = place % len(each)
    changed = {"more": each[dim] + 1, "twice": 2 * each[dim], "none": 0, "one": 1}
    each[dim] = changed.get(spoilt, each[dim])
    return tuple(map(tuple, made))


def _is_late(*sizes: Ints) -> tuple[object, ...]:
    """Few and short sizes first, but those with something to see in them before the others."""
    numbers = [n for size in sizes for n in size]
    nothing = len(sizes) == 1 or () in sizes or max(numbers) < 2
    return nothing, len(sizes), len(numbers), sum(numbers)


def _reference(*sizes: Ints) -> Plain:
    outcome = broadcast(*sizes)
    if not isinstance(outcome, Misfit):
        return outcome
    return Refusal(
        "ValueError",
        f"aligned at the right, dim -{outcome.place} is {outcome.first} in one size and "
        f"{outcome.second} in another",
    )


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


def _picture(case: Case, expected: Plain, _: object) -> Diagram | None:
    sizes = case.arguments
    if max(prod(size) for size in sizes) > LONGEST or (expected and prod(expected) > LONGEST):
        return None
    tensors = {
        f"sizes[{number}]": arange(prod(size)).view(size) for number, size in enumerate(sizes)
    }
    if expected is not None:
        tensors = {name: tensor.expand(expected) for name, tensor in tensors.items()}
    return draw(tensors)


Places = list[Ints]


def _from_the_right(sizes: tuple[Ints, ...]) -> Places:
    return [*zip_longest(*(size[::-1] for size in sizes), fillvalue=1)]


def _unlike(a: int, b: int) -> bool:
    return a != b and 1 not in (a, b)


def _misfit(here: Ints) -> bool:
    return len({*here} - {1}) > 1


def _other(here: Ints) -> int:
    return max([n for n in here if n != 1] or [1])


def _at_each_place(
    refuses: Callable[[Ints], bool] = _misfit,
    pick: Callable[[Ints], int] = _other,
    places: Callable[[tuple[Ints, ...]], Places] = _from_the_right,
    *,
    turned: bool = True,
) -> Callable[..., Ints]:
    """A wrong way: what it refuses of the sizes at one place, and which one it picks of them."""

    def broadcast_sizes(*sizes: Ints) -> Ints:
        result = []
        for here in places(sizes):
            if refuses(here):
                raise ValueError
            result.append(pick(here))
        return tuple(result[::-1] if turned else result)

    return broadcast_sizes


def _from_the_left(sizes: tuple[Ints, ...]) -> Places:
    return [*zip_longest(*sizes, fillvalue=1)]


def _picking(refuses: Callable[[Ints], bool]) -> tuple[Callable[..., Ints], ...]:
    """Ways that refuse too little, and take the first size that is not 1, the last, the largest."""
    picks = (itemgetter(0), itemgetter(-1), max)
    return tuple(
        _at_each_place(refuses, lambda here, pick=pick: pick([n for n in here if n != 1] or [1]))  # type: ignore[misc]
        for pick in picks
    )


EXERCISE = Exercise(
    "broadcast_sizes",
    ("*sizes",),
    place=1,
    returns=INTS,
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    refusing={
        "if the sizes are aligned at the left. Their last dims stand together.": (
            _at_each_place(places=_from_the_left, turned=False),
            _at_each_place(pick=max, places=_from_the_left, turned=False),
        ),
        "if all sizes must have the same number of dims. A missing dim counts as "
        "1.": lambda *sizes: (
            Refusal("ValueError") if len({*map(len, sizes)}) > 1 else _at_each_place()(*sizes)
        ),
        "these are the right sizes, from the last dim to the first.": _at_each_place(turned=False),
        "if only the first few sizes are looked at. There may be more than two.": _at_each_place(
            places=lambda sizes: _from_the_right(sizes[:2])
        ),
        "if 0 wins against every size. It is a size as others are: only 1 gives way to "
        "it.": _at_each_place(
            lambda here: 0 not in here and _misfit(here),
            lambda here: 0 if 0 in here else _other(here),
        ),
        "if the larger size wins. 1 gives way to any other, to 0 too.": _at_each_place(pick=max),
        "if sizes that do not fit are not refused.": _at_each_place(lambda _: False),
        "if a 1 among them lets all sizes at a place pass. Those that are not 1 must be equal to "
        "each other.": _picking(lambda here: len({*here}) > 1 and 1 not in here),
        "if each size is only compared with the next one. With a 1 between them, two others may "
        "differ.": _picking(lambda here: any(starmap(_unlike, pairwise(here)))),
        "if each size is only compared with the first one. Two others may differ where that has "
        "1.": _picking(lambda here: any(_unlike(here[0], n) for n in here)),
        "if 0 gives way as 1 does. Only 1 does: 0 and 2 do not fit.": _at_each_place(
            lambda here: len({*here} - {0, 1}) > 1
        ),
        "if a size gives way to its multiples. Only 1 gives way.": _at_each_place(
            lambda here: any(n == 0 != max(here) or (n and max(here) % n) for n in here)
        ),
    },
)
