"""ps2, `permute`: dims in another order."""

import random
from collections.abc import Iterable
from itertools import permutations, product
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments, Refusal
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Plain
from stridekit.exercises.ps2.dims import WRAPPED, bad_dims
from stridekit.exercises.ps2.drafts import HeaderDraft
from stridekit.exercises.ps2.headers import small_headers
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout

draft = HeaderDraft(
    "permute", ("size", "stride", "dims"), place=4, returns=SIZE_AND_STRIDE, named=("dims",)
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    yield (), (), ()
    for rank in (1, 2, 3):
        for layout in small_headers(rank):
            if rank == 3 and layout.storage_offset and not hidden:
                continue
            for order in permutations(range(rank)):
                yield layout.size, layout.stride, order
            yield layout.size, layout.stride, _named_either_way(order, layout.ndim, chance)
            yield layout.size, layout.stride, _no_permutation(rank, chance)
    if hidden:
        for size in product((1, 2, 3), repeat=4):
            for order in permutations(range(4)):
                yield size, (60, 1, 20, 4), _named_either_way(order, 4, chance)
    for layout in random_layouts(800 if hidden else 200, chance):
        order = tuple(chance.sample(range(layout.ndim), layout.ndim))
        if chance.random() < 0.2:
            order = _no_permutation(layout.ndim, chance)
        yield layout.size, layout.stride, _named_either_way(order, layout.ndim, chance)


def _named_either_way(order: Ints, rank: int, chance: random.Random) -> Ints:
    """The same dims, some of them counted from the right."""
    return tuple(dim - rank if dim in range(rank) and chance.random() < 0.5 else dim
                 for dim in order)  # fmt: skip


def _no_permutation(rank: int, chance: random.Random) -> Ints:
    """Dims with one too few, one too many, one twice, or one that is not there."""
    order = chance.sample(range(rank), rank)
    kind = chance.choice(("short", "long", "twice", "outside", "outside", "long and outside"))
    if kind == "short":
        return tuple(order[1:])
    if kind == "long and outside":
        return (*order, chance.choice(bad_dims(rank)))
    if kind == "long" or (kind == "twice" and rank == 1):
        # The same dim twice, once from each side, is still the same dim.
        return (*order, order[0] - rank)
    order[0] = order[-1] if kind == "twice" else chance.choice(bad_dims(rank))
    return tuple(order)


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
        for new, old in enumerate(order)
    )
    return f"dims says for each new dim which old one it was: {taken}."


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


@draft.mistake(
    "this is what you get if dims are counted before each of them is looked at. A dim "
    "that is not there is an IndexError, whatever else is wrong."
)
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
