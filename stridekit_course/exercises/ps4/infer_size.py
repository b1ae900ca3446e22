"""ps4, `infer_size`: a size with its -1 filled."""

import random
from itertools import combinations, product
from math import prod

from stridekit.diagrams import Diagram, draw_as_strided
from stridekit.layouts.layout import Ints, Layout, count
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import any_size, crossed, header, put

# The most that comes, as the text says it.
DIMS_MOST = 7
# What may stand in a size, of no dims, of one, of two, ...
_VISIBLE = ((), (-1, 0, 1, 2, 3), (-1, 0, 1, 2, 3), (-1, 0, 2))
_HIDDEN = (*_VISIBLE[:3], (-1, 0, 1, 2, 3), (-1, 0, 2))


def _cases(hidden: bool, chance: random.Random) -> Given:
    for rank, entries in enumerate(_HIDDEN if hidden else _VISIBLE):
        for size in product(entries, repeat=rank):
            yield from ((numel, size) for numel in _numels(size))
    # Told apart by where a number ends.
    yield from ((22, (22,)), (22, (2, 2)))
    # Other negatives, also where a product is right, or where a -1 could make it so.
    for size in (
        *((-10,), (-2, -3), (-2, 3), (-2, 0), (-2, -2, 1), (-2, -1), (-1, -10), (-2, -1, -3)),
        *((-1, 2, -2), (-2, 0, -1), (-1, -1, -2), (-1, -1, 0), (2, 2, 2, 2, 2, -2, -2)),
        *((2, -1, 3, -2, 2), (-2, 2, 1, 2, -1, 3), (0, -1, 2, -1, 3), (2, -1, 3, 1, -1, -1)),
    ):
        for turned, times in product((size, size[::-1]), (0, 1, 3)):
            yield abs(prod(size)) * times, turned
        yield 2, size
    # Two -1, at all places, where the rest fits.
    for rank in range(5, DIMS_MOST + 1) if hidden else ():
        for both in combinations(range(rank), 2):
            yield 2**rank, tuple(-1 if place in both else 2 for place in range(rank))
    # Somebody may try all numbers for a -1, so there are few.
    for size in ((-1, 2), (50_001, -1), (100_002,), (50_001, 2), (317, 317), (100_003,)):
        yield from ((numel, size) for numel in (100_002, 100_003, 2 * 50_001 - 2**16))
    for row in crossed(
        chance,
        rank=range(1, DIMS_MOST + 1),
        sizes=("twos", "mixed", "ones", "wide", "none", "wide none", "ones none"),
        # A -1 at every place, or two, or another negative; and numbers that fit or not.
        unknown=(*((-1,),) * 3, (), (-1, -1), (-1, -2), (-3, -2)),
        numel=((1, 0), (3, 0), (12, 0), (2, 0), (1, 1), (1, -1), (0, 0)),
        place=range(DIMS_MOST),
    ):
        for _ in range(6 if hidden else 3):
            made = [*any_size(chance, row["rank"], row["sizes"])]
            for which, n in enumerate(row["unknown"]):
                made[(row["place"] + which * chance.randrange(7)) % len(made)] = n
            times, more = row["numel"]
            numel = abs(prod(n for n in made if n != -1)) * times + more
            yield min(max(numel, 0), 150_000), tuple(made)


def _numels(size: Ints) -> Ints:
    """Numbers of elements that fit the size, and some that do not. None fits two -1."""
    known = prod(n for n in size if n >= 0)
    if -1 not in size:
        return known, known + 1, max(known - 1, 0)
    if size.count(-1) > 1:
        return known, 4 * known
    return 0, known, 2 * known, known + 1, max(known - 1, 0)


def _reference(numel: int, size: Ints) -> Plain:
    known = prod(n for n in size if n != -1)
    there_are = f"and there {'is' if numel == 1 else 'are'} {count(numel, 'element')}"
    if min(size, default=0) < -1:
        negative = next(n for n in size if n < -1)
        return Refusal("ValueError", f"{negative} is no size: only -1 may stand for one")
    if size.count(-1) > 1:
        why = "with more than one -1 the sizes could be chosen in many ways"
        return Refusal("ValueError", why)
    if -1 not in size and known != numel:
        return Refusal("ValueError", f"the sizes multiply to {known}, {there_are}")
    if -1 in size and known == 0:
        any_fits = "beside a 0 any number could stand for the -1"
        why = f"a 0 among the sizes leaves no elements, {there_are}" if numel else any_fits
        return Refusal("ValueError", why)
    if -1 in size and numel % known:
        why = f"{count(numel, 'element')} cannot be divided by {known}, which the other sizes make"
        return Refusal("ValueError", why)
    return tuple(numel // known if n == -1 else n for n in size)


def _rule(numel: int, size: Ints) -> str:
    others = [n for n in size if n != -1]
    known = prod(others)
    spelt = " x ".join(map(str, others))
    worked = f"{spelt} = {known}" if len(others) > 1 else f"{known}"
    if min(size, default=0) < -1:
        return "of the negative numbers only -1 means something in a size: work this one out."
    if size.count(-1) > 1:
        return "numel settles one unknown size. With two there is more than one answer, or none."
    if not size:
        return f"rank 0 holds 1 element, and numel is {numel}."
    if -1 not in size:
        return f"without a -1 the sizes multiply to numel: here to {worked}, and numel is {numel}."
    if known == 0:
        return (
            "the other sizes multiply to 0, so whatever stands for the -1, the product is 0: numel "
            f"is {numel}, so {'none fits' if numel else 'all fit, and torch does not choose'}."
        )
    rest = f", rest {numel % known}" if numel % known else ""
    return (
        f"the -1 stands for numel divided by the product of the other sizes, {worked}, and that "
        f"has to leave no rest: {numel} / {known} = {numel // known}{rest}."
    )


def _picture(expected: Plain, outcome: Outcome, numel: int, _: Ints) -> Diagram | None:
    yours = _row_major(outcome.value)
    shown: dict[str, Plain] = {"given": ((numel,), (1,), 0)}
    if expected is not None:
        shown["expected"] = header(Layout.of(expected))
    elif yours and numel < yours.numel:
        return draw_as_strided(arange(numel), yours.size, yours.stride, title="yours")
    if yours and yours.numel <= numel:
        shown["yours"] = header(yours)
    return draw_headers(shown)


def _row_major(size: Plain) -> Layout | None:
    # Rank 64 is what torch can do; nobody could look at more.
    is_size = isinstance(size, tuple) and len(size) <= 64 and as_layout((size, size, 0))
    return as_layout(header(Layout.of(size))) if is_size else None


_but = variants(_reference, put=put)


EXERCISE = Exercise(
    "infer_size",
    ("numel", "size"),
    place=1,
    returns=INTS,
    reordered=("size",),
    cases=_cases,
    # Where the sizes hold more than there is, a wrong answer shows less.
    late=lambda numel, size: prod(n for n in size if n != -1) > numel,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    refusing={
        "if // drops the rest. First see whether there is one: % tells.": _but(
            "numel % known:", "False:"
        ),
        "if a size without a -1 may hold more elements, or fewer.": _but("known != numel", "False"),
        "if 0 is put for a -1 beside a 0. 1 or 7 would fit as well, so torch refuses.": _but(
            "    if -1 in size and known",
            "    if -1 in size and known == 0 == numel:\n"
            "        return tuple(max(n, 0) for n in size)\n    if -1 in size and known",
        ),
        "if you divide before you look whether the other sizes multiply to 0.": _but(
            "known == 0:", "False:"
        ),
        "if only the first -1 is looked at. Count them.": _but(
            "    if size.count",
            "    if size.count(-1) > 1 and min(size) == -1:\n"
            "        return put(size, size.index(-1), numel // known)\n    if size.count",
        ),
        "if other negative numbers count as sizes.": _but("min(size, default=0) < -1", "False"),
    },
)
