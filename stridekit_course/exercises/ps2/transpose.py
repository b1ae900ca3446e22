"""ps2, `transpose`: two dims change places."""

import random
from itertools import combinations, product

from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, variants
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.exercises import ps2


def _cases(hidden: bool, chance: random.Random) -> Given:
    for layout in ps2.some_layouts(hidden, 1, (3, 4) if hidden else (3,)):
        rank = layout.ndim
        if not rank:
            continue
        # One dim that is not there, or both, or the same one twice.
        bad = ps2.bad_dims(rank)
        pairs = [*product(ps2.dims_of(rank), repeat=2), *zip(bad, bad, strict=True), bad[1:3]]
        pairs += [(dim, rank - 1) for dim in bad] + [(-1, dim) for dim in bad[:2]]
        yield from ((layout, *pair) for pair in pairs)
    many = ps2.of_many_dims(ps2.DIMS_MOST)
    for pair in combinations(range(ps2.DIMS_MOST), 2) if hidden else ():
        yield from ((many, *(dim - named for dim in pair)) for named in (0, ps2.DIMS_MOST))
    yield from ((layout, dim, (dim + 1) % layout.ndim) for layout, dim in ps2.every_dim(hidden))
    others = ("same", "next", "before", "any", "twice", "none")
    for layout, dim, row in ps2.crossed_dims(chance, 2 if hidden else 1, other=others):
        rank, absent = layout.ndim, chance.choice(ps2.bad_dims(layout.ndim))
        other = {
            "same": dim % rank,
            "next": (dim + 1) % rank,
            "before": (dim - 1) % rank - rank,
            "any": chance.choice(ps2.dims_of(rank)),
        }.get(row.other, absent)
        yield layout, absent if row.other == "twice" else dim, other


def _reference(size: Ints, stride: Ints, dim0: int, dim1: int) -> Plain:
    both = []
    for numbers in (size, stride):
        order = [*numbers]
        order[dim0], order[dim1] = order[dim1], order[dim0]
        both.append(tuple(order))
    return both[0], both[1]


def _rule(size: Ints, stride: Ints, dim0: int, dim1: int) -> str:
    rank = len(size)
    a, b = dim0 % rank, dim1 % rank
    if a == b:
        return f"dim {dim0} and dim {dim1} are the same dim, so nothing changes places."
    return (
        f"dims {a} and {b} change places, in the size and in the stride alike: size {size[a]} "
        f"keeps its stride {stride[a]}, and size {size[b]} its stride {stride[b]}; all others stay."
    )


_SWAP = "order[dim0], order[dim1] = order[dim1], order[dim0]"
_but = variants(_reference)


EXERCISE = ps2.exercise_on_dims(
    "transpose",
    ("size", "stride", "dim0", "dim1"),
    place=3,
    named=("dim0", "dim1"),
    returns=SIZE_AND_STRIDE,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    known={
        "if only the sizes change places. Each size takes its stride along.": _but(
            "both[1]", "stride"
        ),
        "if only the strides change places. Each stride takes its size along.": _but(
            "both[0]", "size"
        ),
        "if all dims are turned round. Only dim0 and dim1 change places.": _but(
            _SWAP, "order.reverse()"
        ),
        "if nothing changes places where two sizes are equal. Their strides may differ.": _but(
            "both[1]", "stride if both[0] == size else both[1]"
        ),
        "if nothing changes places.": _but(_SWAP, "pass"),
        "if one dim is overwritten before it is read. Both have to be read first.": _but(
            _SWAP, "order[dim0] = order[dim1]\n        order[dim1] = order[dim0]"
        ),
        "if one dim is taken out and put in at the other's place: the dims between move too. Only "
        "two change places.": _but(_SWAP, "order.insert(range(len(order))[dim1], order.pop(dim0))"),
        "if negative dims are compared and cut with as they are. "
        "Make both dims positive first.": _but(
            _SWAP,
            "a, b = sorted((dim0, dim1))\n        if a != b:\n            order = "
            "[*order[:a], order[b], *order[a + 1 : b], order[a], *order[b + 1 :]]",
        ),
    },
    refusing={
        "if the same dim twice is refused. It is allowed, and nothing changes.": _but(
            "    both =",
            "    if range(len(size))[dim0] == range(len(size))[dim1]:\n        raise ValueError\n"
            "    both =",
        ),
        "if a dim that is named twice is never looked for. It has to be there all the same.": _but(
            _SWAP, f"if dim0 != dim1:\n            {_SWAP}"
        ),
        ps2.WRAPPED: (
            _but("    both =", "    dim0, dim1 = dim0 % len(size), dim1 % len(size)\n    both ="),
            _but("    both =", "    dim1 %= len(size)\n    both ="),
        ),
    },
)
