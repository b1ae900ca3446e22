"""ps2, `permute`: dims in another order."""

import random
from itertools import permutations, product

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, Refusal, variants
from stridekit_course.checks.returns import SIZE_AND_STRIDE, listed
from stridekit_course.checks.strategies import ORDERS, in_order
from stridekit_course.exercises import ps2

# What the text says: somebody may look for dims among all permutations.
RANK_MOST = 8
# Lists of dims that are as long as the rank, and have the same sum as all dims, the same least and
# greatest, the same product, or even the same sum of squares and of cubes; some are there twice.
_NEARLY = (
    (1, 1, 1), (0, 0, 2), (0, 0, 3, 3), (1, 1, 1, 2), (0, 2, 2, 3, 3), (0, 0, 3, 4, 4, 5, 5),
    (0, 0, 3, 4, 4, 5, 5, 7), (1, 1, 1, 2, 5, 6, 6, 6),
)  # fmt: skip


def _cases(hidden: bool, chance: random.Random) -> Given:
    # Every list of dims for up to two dims: too short, too long, twice, not there.
    for rank, length in product(range(3), range(4 if hidden else 3)):
        for dims in product(range(-rank - 1, rank + 1), repeat=length):
            yield ps2.of_many_dims(rank), dims
    # What stands in both lists is the same, though a dim is named twice.
    for layout in (ps2.TWINS, Layout((2, 2), (3, 3)), Layout((2, 3), (3, 1)), ps2.HUGE):
        for dims in product((-2, -1, 0, 1), repeat=2):
            yield layout, (*dims, 2)[: layout.ndim]
    # Of fewer than three dims each order is its own inverse. Two are told apart by their digits.
    for size in ((2, 3, 4), (1, 12, 3), (11, 2, 3)):
        yield from ((Layout(size, (12, 4, 1)), dims) for dims in permutations(range(3)))
    # More than one thing is wrong: whatever else, an absent dim is an IndexError.
    for rank in (2, 4, 7):
        for dim in ps2.bad_dims(rank):
            for dims in ((dim,), (dim, dim), (*range(rank), dim), (dim, *range(rank)), (0, 0, dim)):
                yield ps2.of_many_dims(rank), dims
    for dims in _NEARLY:
        yield from ((ps2.of_many_dims(len(dims)), each) for each in (dims, dims[::-1]))
    kinds = (*ORDERS, *("shuffled",) * 3, "twice", "absent", "short", "long")
    for layout, _, row in ps2.crossed_dims(
        chance, 8 if hidden else 2, most=RANK_MOST, kind=kinds, right=(0.0, 0.5, 1.0)
    ):
        rank = layout.ndim
        order = [*in_order((2,) * rank, row.kind, chance)][::-1]
        named = [dim - rank * (chance.random() < row.right) for dim in order]
        if row.kind in ("twice", "absent", "short"):
            named.pop()
        more = {
            "twice": named[:1],
            "absent": [chance.choice(ps2.bad_dims(rank))],
            "long": named[:1],
        }
        yield layout, (*named, *more.get(row.kind, ()))[:RANK_MOST]


def _reference(size: Ints, stride: Ints, dims: Ints) -> Plain:
    rank = len(size)
    named = [range(rank)[dim] for dim in dims]
    if sorted(named) != [*range(rank)]:
        dim = min(range(rank), key=lambda dim: named.count(dim) == 1)
        how = "named more than once" if dim in named else "not named"
        return Refusal("ValueError", f"dim {dim} is {how}")
    return tuple(size[dim] for dim in dims), tuple(stride[dim] for dim in dims)


def _rule(size: Ints, stride: Ints, dims: Ints) -> str:
    rank = len(size)
    named = tuple(dim % rank for dim in dims)
    if sorted(named) != [*range(rank)]:
        means = "" if named == dims else f": {dims} means {named}"
        return f"dims has to name each dim once, from whichever side it is counted{means}."
    if not rank:
        return "with no dims there is nothing to reorder: the size and the stride are ()."
    taken = (
        f"new dim {new} is old dim {old} (size {size[old]}, stride {stride[old]})"
        for new, old in enumerate(named)
    )
    return f"dims says for each new dim which old one it was: {listed(taken, 4)}."


_but = variants(_reference)
_NAMED, _IS_NO_ORDER = "[range(rank)[dim] for dim in dims]", "sorted(named) != [*range(rank)]"
EXERCISE = ps2.exercise_on_dims(
    "permute",
    ("size", "stride", "dims"),
    place=4,
    named=("dims",),
    returns=SIZE_AND_STRIDE,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    known={
        "from the inverse permutation. dims[i] says where new dim i comes from, not where old dim "
        "i goes.": _but(
            "return tuple", "dims = sorted(range(rank), key=named.__getitem__)\n    return tuple"
        ),
        "if only the size is reordered, or only the stride. Each size takes its stride along.": (
            _but("tuple(stride[dim] for dim in dims)", "stride"),
            _but("tuple(size[dim] for dim in dims)", "size"),
        ),
        "if all dims are turned round, whatever dims says.": lambda size, stride, _: (
            size[::-1],
            stride[::-1],
        ),
    },
    refusing={
        "if negative dims are sorted as they are, or counted. Make them positive before you ask "
        "whether each dim is named once: 0 and -1 can be the same dim.": (
            _but(_NAMED, "[*dims]"),
            _but(_NAMED, "[*{*dims}]", _IS_NO_ORDER, "len(named) != rank"),
            _but(_NAMED, "[*{*dims}]", _IS_NO_ORDER, "not len(named) == len(dims) == rank"),
        ),
        "if there is a ValueError before each of the dims has been looked at. A dim that is not "
        "there is an IndexError, whatever else is wrong.": (
            _but("    named", "    if len(dims) != rank:\n        raise ValueError\n    named"),
            _but(
                "    named", "    if len({*dims}) < len(dims):\n        raise ValueError\n    named"
            ),
            _but(_NAMED, "[dim + rank if dim < 0 else dim for dim in dims]"),
        ),
        ps2.WRAPPED: lambda size, stride, dims: _reference(
            size, stride, tuple(dim % len(size) for dim in dims)
        ),
        "if dims need not name each dim once.": (
            _but(_IS_NO_ORDER, "False"),
            _but(_IS_NO_ORDER, "len(named) != rank"),
        ),
    },
)
