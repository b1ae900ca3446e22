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
    yield from ((size,) for size in small_sizes(2))
    yield from product(small_sizes(2, most=3 if hidden else 2), repeat=2)
    yield from product(small_sizes(1), repeat=3)
    # Told apart by where a number ends, or a size.
    yield from (((1, 11), (1,)), ((1,), (11, 1)), ((1,), (1, 11)), ((11,), (1, 1)))
    yield from (tuple((n,) for n in pair) for pair in _PAIRS)
    yield (1,), (1, 2), (3, 1)
    yield from (((),) * count + ((3,),) for count in range(3, 7))
    for row in crossed(
        chance,
        rank=range(1, 8),
        count=range(1, 8),
        sizes=("twos", "mixed", "alike", "wide", "ones", "none", "wide none"),
        # At some place of all, two sizes have those numbers, and the others 1; or that dim not.
        pair=_PAIRS,
        place=range(7),
        who=((0, 1), (-1, -2), (0, -1), None, None),
    ):
        for _ in range(4 if hidden else 1):
            yield _sizes_that_fit(chance, **row)


def _sizes_that_fit(
    chance: random.Random, rank: int, count: int, sizes: str, pair: Ints, place: int, who: Ints
) -> Arguments:
    """So many sizes that broadcast to one of them at most; but for two numbers at one place."""
    size, dim = any_size(chance, rank, sizes, 10**6), place % rank
    made = [put(tuple(chance.choice((n, n, 1)) for n in size), dim, 1) for _ in range(count)]
    for number, n in zip(who or chance.choices(range(count), k=2), pair, strict=True):
        made[number % count] = put(made[number % count], dim, n)
    cuts = chance.choices((0, 0, 1, rank - 1), k=count)
    return tuple(
        each[cut if each[dim] == 1 else min(cut, dim) :]
        for each, cut in zip(made, cuts, strict=True)
    )


def _is_late(*sizes: Ints) -> tuple[object, ...]:
    """Few and short sizes first, but those with something to see in them before the others."""
    numbers = [n for size in sizes for n in size]
    nothing = len(sizes) == 1 or () in sizes or max(numbers) < 2
    return nothing, len(sizes), len(numbers), sum(numbers)


def _reference(*sizes: Ints) -> Plain:
    result = []
    for place, here in enumerate(zip_longest(*(size[::-1] for size in sizes), fillvalue=1), 1):
        if len({*here} - {1}) > 1:
            first, second, *_ = dict.fromkeys(n for n in here if n != 1)
            theirs = f"dim -{place} is {first} in one size and {second} in another"
            return Refusal("ValueError", f"aligned at the right, {theirs}")
        result.append(max([n for n in here if n != 1] or [1]))
    return tuple(result[::-1])


def _rule(*sizes: Ints) -> str:
    general = (
        "align the sizes at the right, count a missing dim as 1, and let 1 give way, to 0 too; all "
        "others at a place must be equal"
    )
    outcome = _reference(*sizes)
    if isinstance(outcome, Refusal):
        return f"{general}."
    places = zip_longest(*(size[::-1] for size in sizes), fillvalue="none")
    clauses = [
        f"dim -{place} has {', '.join(map(str, here))}, so {n}"
        for place, (here, n) in enumerate(zip(places, outcome[::-1], strict=True), 1)
    ]
    return f"{general}: {'; '.join(clauses) or 'here there are no dims'}."


def _picture(expected: Plain, _: object, *sizes: Ints) -> Diagram | None:
    # Beside a 0 too, where no elements are left, sizes may be more than a header holds.
    if any(prod(n or 1 for n in size) > LONGEST for size in (*sizes, expected or ())):
        return None
    tensors = {
        f"sizes[{number}]": arange(prod(size)).view(size) for number, size in enumerate(sizes)
    }
    if expected is not None:
        tensors = {name: tensor.expand(expected) for name, tensor in tensors.items()}
    return draw(tensors)


# What is refused at a place, and what is taken there.
_MISFIT, _OTHER = "len({*here} - {1}) > 1", "max([n for n in here if n != 1] or [1])"
_but = variants(_reference, pairwise=pairwise)


def _refusing_if(refuses: str) -> tuple[Function, ...]:
    """Ways that refuse too little, and take the first size that is not 1, the last, the largest."""
    others = _OTHER.removeprefix("max")
    return tuple(
        _but(_MISFIT, refuses, _OTHER, pick) for pick in (f"{others}[0]", f"{others}[-1]", _OTHER)
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
            _but("(size[::-1] for size in sizes)", "sizes", "[::-1])\n", ")\n"),
            _but(
                "(size[::-1] for size in sizes)",
                "sizes",
                "result[::-1]",
                "result",
                _OTHER,
                "max(here)",
            ),
        ),
        "if all sizes must have the same number of dims. A missing dim counts as 1.": _but(
            "    result =",
            "    if len({*map(len, sizes)}) > 1:\n        raise ValueError\n    result =",
        ),
        "these are the right sizes, from the last dim to the first.": _but(
            "result[::-1]", "result"
        ),
        "if only the first few sizes are looked at. There may be more than two.": _but(
            "in sizes", "in sizes[:2]"
        ),
        "if 0 wins against every size. It is a size as others are: only 1 gives way to it.": _but(
            _MISFIT, f"0 not in here and {_MISFIT}", _OTHER, f"0 if 0 in here else {_OTHER}"
        ),
        "if the larger size wins. 1 gives way to any other, to 0 too.": _but(_OTHER, "max(here)"),
        "if a 1 among them lets all sizes at a place pass. Those that are not 1 must be equal to "
        "each other.": _refusing_if("len({*here}) > 1 and 1 not in here"),
        "if each size is only compared with the next one. With a 1 between them, two others may "
        "differ.": _refusing_if("any(a != b and 1 not in (a, b) for a, b in pairwise(here))"),
        "if each size is only compared with the first one. Two others may differ where that has "
        "1.": _refusing_if("any(n != here[0] and 1 not in (n, here[0]) for n in here)"),
        "if 0 gives way as 1 does. Only 1 does: 0 and 2 do not fit.": _but("{1}", "{0, 1}"),
    },
)
