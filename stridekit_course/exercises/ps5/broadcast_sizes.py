"""ps5, `broadcast_sizes`: the size that all sizes broadcast to."""

import random
from itertools import pairwise, product, zip_longest
from math import prod

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Function, Plain
from stridekit_course.checks.exercise import Arguments, Exercise, Given, Refusal, variants
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import any_size, crossed, put, small_sizes

# Two numbers at one place: with equal sums, one factor of another, such as are one to a float, or
# with a 0; and such that fit, and are other objects.
_PAIRS = (
    *((2, 3), (2, 4), (9, 10), (10, 100), (11, 111), (3, 0), (300, 0), (2**53, 2**53 + 1)),
    *((0, 0), (260, 260), (2**53 + 1, 2**53 + 1)),
)


def _cases(hidden: bool, chance: random.Random) -> Given:
    yield from ((size,) for size in (*small_sizes(2), (1, 11), (11, 1)))
    yield from product(small_sizes(2, most=3 if hidden else 2), repeat=2)
    yield from product(small_sizes(1), repeat=3)
    yield from (tuple((n,) for n in pair) for pair in _PAIRS)
    # In few numbers, what else takes many.
    yield from (((2, 3), (2,)), ((1,), (1, 2), (3, 1)), *(((),) * n + ((3,),) for n in range(3, 7)))
    kinds, seven = ("twos", "mixed", "alike", "wide", "ones", "none", "wide none"), range(1, 8)
    for _ in range(4 if hidden else 1):
        for row in crossed(chance, rank=seven, count=seven, kind=kinds, pair=_PAIRS, place=seven):
            yield _sizes_that_fit(chance, **row)


def _sizes_that_fit(
    chance: random.Random, rank: int, count: int, kind: str, pair: Ints, place: int
) -> Arguments:
    """So many sizes that broadcast to one of them at most, but for two numbers at one place."""
    size, dim = any_size(chance, rank, kind), -1 - place % rank
    made = [put(tuple(chance.choice((n, n, 1)) for n in size), dim, 1) for _ in range(count)]
    for n, number in zip(pair, chance.sample(range(count), min(count, 2)), strict=False):
        made[number] = put(made[number], dim, n)
    # Some begin later, but not behind their number.
    cuts = ((0, 0, 1, rank - 1) if each[dim] == 1 else (0, rank + dim) for each in made)
    return tuple(each[chance.choice(some) :] for each, some in zip(made, cuts, strict=True))


def _reference(*sizes: Ints) -> Plain:
    result = []
    for place, here in enumerate(zip_longest(*(size[::-1] for size in sizes), fillvalue=1), 1):
        others = [n for n in here if n != 1] or [1]
        if len({*others}) > 1:
            one, other, *_ = dict.fromkeys(others)
            theirs = f"dim -{place} is {one} in one size and {other} in another"
            return Refusal("ValueError", f"aligned at the right, {theirs}")
        result.append(others[0])
    return tuple(result[::-1])


def _rule(*sizes: Ints) -> str:
    places = zip_longest(*(size[::-1] for size in sizes), fillvalue="none")
    clauses = [
        f"dim -{place} has {', '.join(map(str, here))}" for place, here in enumerate(places, 1)
    ]
    return (
        "align the sizes at the right, count a missing dim as 1, and let 1 give way, to 0 too; all "
        f"others at a place must be equal: {'; '.join(clauses) or 'here there are no dims'}."
    )


def _picture(expected: Ints | None, _: object, *sizes: Ints) -> Diagram | None:
    # Beside a 0 too, where no elements are left, sizes may be more than a header holds.
    if any(prod(n or 1 for n in size) > LONGEST for size in (*sizes, expected or ())):
        return None
    tensors = {}
    for number, size in enumerate(sizes):
        tensor = arange(prod(size)).view(size)
        tensors[f"sizes[{number}]"] = tensor if expected is None else tensor.expand(expected)
    return draw(tensors)


_but = variants(_reference, pairwise=pairwise)
_MISFIT, _OTHER = "len({*others}) > 1", "append(others[0])"


def _looks_at_too_little(refuses: str) -> tuple[Function, ...]:
    """Takes the first size that is not 1, the last, or the largest."""
    picks = ("others[0]", "others[-1]", "max(others)")
    return tuple(_but(_MISFIT, refuses, _OTHER, f"append({pick})") for pick in picks)


EXERCISE = Exercise(
    "broadcast_sizes",
    ("*sizes",),
    place=1,
    returns=INTS,
    cases=_cases,
    late=lambda *sizes: (len(sizes) == 1 or () in sizes, len(sizes), sum(map(len, sizes))),
    reference=_reference,
    rule=_rule,
    picture=_picture,
    refusing={
        "if the sizes are aligned at the left. Their last dims stand together.": _but(
            "(size[::-1] for size in sizes)", "sizes", "[::-1])\n", ")\n"
        ),
        "if all sizes must have the same number of dims. A missing dim counts as 1.": _but(
            "zip_longest(", "zip(", "fillvalue=1", "strict=True"
        ),
        "these are the right sizes, from the last dim to the first.": _but("[::-1])\n", ")\n"),
        "if only the first few sizes are looked at. There may be more than two.": _but(
            "in sizes", "in sizes[:2]"
        ),
        "if 0 wins against every size. It is a size as others are: only 1 gives way to it.": _but(
            _MISFIT, f"0 not in here and {_MISFIT}", _OTHER, "append(0 if 0 in here else others[0])"
        ),
        "if the larger size wins. 1 gives way to any other, to 0 too.": _but(
            _OTHER, "append(max(here))"
        ),
        "if 0 gives way as 1 does. Only 1 does: 0 and 2 do not fit.": _but(
            "n != 1] or [1]", "n > 1] or [min(here)]"
        ),
        "if a 1 among them lets all sizes at a place pass. Those that are not 1 must be equal to "
        "each other.": _looks_at_too_little("len({*here}) > 1 and 1 not in here"),
        "if each size is only compared with the next one. With a 1 between them, two others may "
        "differ.": _looks_at_too_little(
            "any(a != b and 1 not in (a, b) for a, b in pairwise(here))"
        ),
        "if each size is only compared with the first one. Two others may differ where that has "
        "1.": _looks_at_too_little("any(n != here[0] and 1 not in (n, here[0]) for n in here)"),
    },
)
