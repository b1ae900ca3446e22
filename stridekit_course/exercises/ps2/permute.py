"""ps2, `permute`: dims in another order."""

import random
from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import Any

from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Arguments, Refusal
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.exercises.ps2 import (
    HUGE,
    TWINS,
    WRAPPED,
    HeaderDraft,
    bad_dims,
    headers_of,
    larger_headers,
    of_many_dims,
    sizes_of,
)

draft = HeaderDraft(
    "permute", ("size", "stride", "dims"), place=4, returns=SIZE_AND_STRIDE, named=("dims",)
)


# What the text says: somebody may look for dims among all permutations.
RANK_MOST = 8
# Lists of dims that are as long as the rank, and have the same sum as all dims, the same least and
# greatest, the same product, or even the same sum of squares and of cubes; some are there twice.
_NEARLY = (
    (1, 1, 1), (0, 0, 2), (0, 0, 3, 3), (1, 1, 1, 2), (0, 2, 2, 3, 3), (0, 0, 3, 4, 4, 5, 5),
    (0, 0, 3, 4, 4, 5, 5, 7), (1, 1, 1, 2, 5, 6, 6, 6),
)  # fmt: skip


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    yield (), (), ()
    # Every list of dims for one dim, and for two: too short, too long, twice, not there.
    for length in range(4 if hidden else 3):
        yield from (((3,), (5,), order) for order in product((-2, -1, 0, 1), repeat=length))
    for length in range(4):
        named = (-3, -2, -1, 0, 1, 2) if hidden else (-2, -1, 0, 2)
        yield from (((2, 3), (7, 2), order) for order in product(named, repeat=length))
    yield from (((2, 3, 4), (1, 8, 2), order) for order in product(range(3), repeat=3))
    yield from (((2, 3, 4), (1, 8, 2), order) for order in permutations((-3, -2, -1)))
    # What stands in both lists is the same, though a dim is named twice.
    yield from _naming(TWINS, ((0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 1, 0), (2, 2, 1), (-1, -1, 1)))
    yield from _naming(Layout((2, 2), (3, 3)), ((0, 1), (0, 0), (1, 1), (-1, 1), (-1, 0)))
    yield from _naming(Layout((2, 3), (3, 1)), ((0, 1), (1, 0)))
    yield from _naming(HUGE, ((0, 1), (1, 0)))
    for layout in headers_of(2, sizes_of(2), count=4 if hidden else 1):
        yield from _naming(layout, ((0, 1), (1, 0), (-1, 0)))
    for layout in headers_of(3, sizes_of(3, least=1 - hidden), count=1):
        yield from _naming(
            layout, (*permutations(range(3)), (-1, 0, 1)) if hidden else ((1, 2, 0), (-1, 0, 1))
        )
    # More than one thing is wrong: whatever else, an absent dim is an IndexError.
    for rank in (2, 3, 4):
        order = tuple(range(rank))
        for dim in bad_dims(rank):
            yield from _naming(
                of_many_dims(rank),
                ((dim,), (dim, dim), (*order, dim), (dim, *order), (0, 0, dim), (dim, *order[1:])),
            )
    yield from _naming(of_many_dims(3), ((0, 1, 12), (12, 1, 0), (0, 23, 1), (0, 0, 0, 0, 0, 0, 0)))
    for order in _NEARLY:
        yield from _naming(of_many_dims(len(order)), (order, order[::-1]))
    yield from _naming(of_many_dims(4), permutations(range(4)))
    for rank in (5, 6, 7, RANK_MOST):
        layout = of_many_dims(rank)
        for _ in range(60 if hidden else 6):
            order = tuple(chance.sample(range(rank), rank))
            if chance.random() < 0.2:
                order = (order[-1], *order[1:])
            yield layout.size, layout.stride, _named_either_way(order, chance)
    for layout, _ in larger_headers(150 if hidden else 20, chance):
        rank = min(layout.ndim, RANK_MOST)
        order = _named_either_way(tuple(chance.sample(range(rank), rank)), chance)
        yield layout.size[:rank], layout.stride[:rank], order


def _naming(layout: Layout, orders: Iterable[Ints]) -> Iterator[Arguments]:
    for order in orders:
        yield layout.size, layout.stride, order


def _named_either_way(order: Ints, chance: random.Random) -> Ints:
    """The same dims, some of them counted from the right."""
    return tuple(dim - len(order) if chance.random() < 0.5 else dim for dim in order)


@draft.reference
def _reference(size: Ints, stride: Ints, order: Ints) -> Plain:
    rank = len(size)
    named = [dim % rank for dim in order]
    for dim in range(rank):
        if named.count(dim) != 1:
            how = "named more than once" if dim in named else "not named"
            return Refusal("ValueError", f"dim {dim} is {how}")
    layout = dims.permute(Layout(size, stride), order)
    return layout.size, layout.stride


@draft.rule
def _rule(size: Ints, stride: Ints, order: Ints) -> str:
    rank = len(size)
    if sorted(dim % rank for dim in order) != list(range(rank)):
        wrapped = tuple(dim % rank for dim in order)
        means = "" if wrapped == order else f", and {order} means {wrapped}"
        if rank == 1:
            return f"rank 1 has one dim, and dims has to name it exactly once{means}."
        return (
            f"dims has to name each of the dims 0 {'and' if rank == 2 else 'to'} {rank - 1} once "
            f"and only once, from whichever side it is counted{means}."
        )
    if not rank:
        return "with no dims there is nothing to reorder: the size and the stride are ()."
    taken = ", ".join(
        f"new dim {new} is old dim {old % rank} (size {size[old]}, stride {stride[old]})"
        for new, old in enumerate(order[:4])
    )
    rest = ", and so on" if rank > 4 else ""
    return f"dims says for each new dim which old one it was: {taken}{rest}."


def _ordered(numbers: Ints, order: Iterable[int]) -> Ints:
    return tuple(numbers[dim] for dim in order)


@draft.mistake(
    "this is what you get from the inverse permutation. dims[i] says where new dim i "
    "comes from, not where old dim i goes."
)
def _inverse(size: Ints, stride: Ints, order: Ints) -> Any:
    back = [0] * len(size)
    for new, old in enumerate(order):
        back[old] = new
    return _ordered(size, back), _ordered(stride, back)


draft.mistake(
    "this is what you get if only the size is reordered. Each size takes its stride along.",
    lambda size, stride, order: (_ordered(size, order), stride),
)
draft.mistake(
    "this is what you get if only the stride is reordered. Each stride takes its size along.",
    lambda size, stride, order: (size, _ordered(stride, order)),
)
draft.mistake(
    "this is what you get if all dims are turned round, whatever dims says.",
    lambda size, stride, _: (size[::-1], stride[::-1]),
)


@draft.mistake(
    "this is what you get if negative dims are sorted as they are. Make them positive "
    "before you ask whether each dim is named once."
)
def _refuses_negative(size: Ints, stride: Ints, order: Ints) -> Any:
    if sorted(order) != list(range(len(size))):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


_REFUSED_EARLY = (
    "this is what you get if there is a ValueError before each of the dims has been looked at. A "
    "dim that is not there is an IndexError, whatever else is wrong."
)


@draft.mistake(_REFUSED_EARLY)
def _counts_first(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(order) != len(size):
        raise ValueError
    if len({range(len(size))[dim] for dim in order}) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


@draft.mistake(
    "this is what you get if dims are counted before the negative ones are made positive: "
    "0 and -1 can be the same dim."
)
def _set_is_enough(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(set(order)) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


@draft.mistake(
    "this is what you get if only the number of dims is tested. A dim may be named twice "
    "and another not at all."
)
def _length_is_enough(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(order) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


@draft.mistake(_REFUSED_EARLY)
def _set_first(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(set(order)) < len(order):
        raise ValueError
    if sorted(range(len(size))[dim] for dim in order) != list(range(len(size))):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


@draft.mistake(_REFUSED_EARLY)
def _repeats_first(size: Ints, stride: Ints, order: Ints) -> Any:
    for before, dim in enumerate(order):
        if dim % len(size) in [other % len(size) for other in order[:before]]:
            raise ValueError
        if not -len(size) <= dim < len(size):
            raise IndexError
    if len(order) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


@draft.mistake(WRAPPED)
def _wraps_all(size: Ints, stride: Ints, order: Ints) -> Any:
    if sorted(dim % len(size) for dim in order) != list(range(len(size))):
        raise ValueError
    return tuple(size[d % len(size)] for d in order), tuple(stride[d % len(size)] for d in order)


draft.mistake(
    "this is what you get if nobody asks whether dims names each dim once.",
    lambda size, stride, order: (_ordered(size, order), _ordered(stride, order)),
)
EXERCISE = draft.exercise()
