"""ps4, `infer_size`: a size with its -1 filled."""

import random
from itertools import chain, product
from math import prod

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout, count
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import any_size, crossed, header, put, small_sizes

# The most that comes, as the text says it.
DIMS_MOST = 7


def _cases(hidden: bool, chance: random.Random) -> Given:
    longer = chain.from_iterable(product((-1, 0, 2), repeat=rank) for rank in range(3, 4 + hidden))
    for size in (*small_sizes(2, least=-2), *longer):
        known = abs(prod(n for n in size if n != -1))
        yield from ((numel, size) for numel in (0, known, 2 * known, 4 * known, known + 1))
    # Told apart by where a number ends. And to a float, 49 × (1 / 49) is less than 1.
    yield from ((22, (22,)), (22, (2, 2)), (49, (49, -1)))
    # A -1 at every place, where the rest fits; also beside another one, or another negative number.
    for rank in range(5 if hidden else 7, DIMS_MOST + 1):
        for at, beside, other in product(range(rank), range(rank), (-1, -2)):
            size = put(put((2,) * rank, beside, other), at, -1)
            yield from ((numel, size) for numel in (0, 2**rank))
    # Somebody may try all numbers for a -1, so there are few.
    for size in ((-1, 2), (50_001, -1), (100_002,), (50_001, 2), (317, 317), (100_003,)):
        yield from ((numel, size) for numel in (100_002, 100_003, 2 * 50_001 - 2**16))
    for _ in range(8 if hidden else 1):
        for row in crossed(
            chance,
            rank=range(1, DIMS_MOST + 1),
            sizes=("twos", "mixed", "ones", "wide", "none", "wide none", "ones none"),
            unknown=((-1,), (-1,), (), (-10,), (-1, -1), (-1, -2), (-3, -2)),
            # So many times what the other sizes make, and so many more.
            numel=((1, 0), (3, 0), (12, 0), (2, 0), (1, 1), (1, -1), (0, 0)),
            place=range(DIMS_MOST),
        ):
            made = [*any_size(chance, row["rank"], row["sizes"])]
            for which, n in enumerate(row["unknown"]):
                made[(row["place"] + which * chance.randrange(7)) % len(made)] = n
            times, more = row["numel"]
            numel = abs(prod(n for n in made if n != -1)) * times + more
            yield min(max(numel, 0), 150_000), tuple(made)


def _reference(numel: int, size: Ints) -> Plain:
    known = prod(n for n in size if n != -1)
    if min(size, default=0) < -1:
        why = f"{next(n for n in size if n < -1)} is not a size: only -1 may stand for one"
    elif size.count(-1) > 1:
        why = "with more than one -1 the sizes could be chosen in many ways"
    elif -1 not in size and known != numel:
        why = f"the sizes multiply to {known}, and numel is {numel}"
    elif -1 in size and known == 0:
        why = "beside a 0 the sizes multiply to 0, whatever number stands for the -1"
    elif -1 in size and numel % known:
        why = f"{count(numel, 'element')} cannot be divided by {known}, which the other sizes make"
    else:
        return tuple(numel // known if n == -1 else n for n in size)
    return Refusal("ValueError", why)


def _rule(numel: int, size: Ints) -> str:
    if -1 not in size or isinstance(_reference(numel, size), Refusal):
        return (
            "the sizes multiply to numel. One -1 stands for numel divided by the product of the "
            "others, if that is not 0 and leaves no remainder; no other negative number is a "
            "size."
        )
    others = [n for n in size if n != -1]
    known = prod(others)
    worked = f"{' × '.join(map(str, others))} = {known}" if len(others) > 1 else f"{known}"
    return (
        f"the -1 stands for numel divided by the product of the other sizes, {worked}: "
        f"{numel} / {known} = {numel // known}."
    )


def _picture(expected: Plain, outcome: Outcome, numel: int, _: Ints) -> Diagram | None:
    shown: dict[str, Plain] = {"given": ((numel,), (1,), 0)}
    for name, size in (("expected", expected), ("yours", outcome.value)):
        # What holds more elements than there are is not shown; nor are more dims than torch has.
        is_size = isinstance(size, tuple) and len(size) <= 64 and as_layout((size, size, 0))
        if is_size and prod(size) <= numel:
            shown[name] = header(Layout.of(size))
    return draw_headers(shown)


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
        "if // drops the remainder. First see whether there is one: % tells.": _but(
            "numel % known:", "False:"
        ),
        "if a size without a -1 may hold more elements, or fewer.": _but("known != numel", "False"),
        "if 0 is put for a -1 beside a 0. 1 or 7 would fit as well, so torch refuses.": _but(
            *("known == 0:", "known == 0 < numel:", "% known", "% (known or 1)"),
            *("numel // known", "numel // (known or 1)"),
        ),
        "if you divide before you look whether the other sizes multiply to 0.": _but(
            "known == 0:", "False:"
        ),
        "if only the first -1 is looked at. Count them.": _but(
            "size.count(-1) > 1",
            "False",
            "tuple(",
            "put(size, size.index(-1), numel // known) if -1 in size else tuple(",
        ),
        "if other negative numbers count as sizes.": _but("min(size, default=0) < -1", "False"),
    },
)
