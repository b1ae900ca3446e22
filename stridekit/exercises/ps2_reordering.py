"""Assignment ps2, the operations that take dims to other places: transpose and permute."""

import random
from collections.abc import Iterable
from itertools import permutations, product
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments, Mistake, Refusal, plain_exercise
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps2_shared import (
    BLOCKS,
    bad_dims,
    dims_of,
    draw_header_change,
    no_dim,
    random_headers,
    rule_of_dims,
    simplest_first,
    small_headers,
)
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout


def _transpose_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for rank in (1, 2, 3) if hidden else (1, 2):
        for layout in small_headers(rank):
            if rank == 3 and layout.storage_offset:
                continue
            for dim0, dim1 in product(dims_of(rank), repeat=2):
                yield layout.size, layout.stride, dim0, dim1
            for dim in bad_dims(rank):
                yield layout.size, layout.stride, dim, 0
                yield layout.size, layout.stride, -1, dim
    for size in product((1, 2, 3), repeat=3):
        for dim0, dim1 in ((0, 1), (0, 2), (2, 1), (-3, 2)):
            yield size, BLOCKS[0][0], dim0, dim1
    for layout, dim in random_headers(1000 if hidden else 200, chance):
        other = chance.choice((*dims_of(layout.ndim), *bad_dims(layout.ndim)))
        yield layout.size, layout.stride, dim, other


def _transpose(size: Ints, stride: Ints, dim0: int, dim1: int) -> Plain:
    refusal = no_dim(dim0, len(size)) or no_dim(dim1, len(size))
    if refusal:
        return refusal
    layout = dims.transpose(Layout(size, stride), dim0, dim1)
    return layout.size, layout.stride


def _transpose_rule(size: Ints, stride: Ints, dim0: int, dim1: int) -> str:
    rank = len(size)
    if no_dim(dim0, rank) or no_dim(dim1, rank):
        return rule_of_dims(rank)
    a, b = dim0 % rank, dim1 % rank
    if a == b:
        return f"dim {dim0} and dim {dim1} are the same dim, so nothing changes places."
    return (
        f"dims {a} and {b} change places, in the size and in the stride alike: size {size[a]} "
        f"keeps its stride {stride[a]}, and size {size[b]} its stride {stride[b]}; all others stay."
    )


def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride = case.arguments[:2]
    return draw_header_change((size, stride, 0), expected, returned)


def _swapped(numbers: Ints, dim0: int, dim1: int) -> Ints:
    order = list(numbers)
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return tuple(order)


def _by_slices(numbers: Ints, dim0: int, dim1: int) -> Ints:
    a, b = min(dim0, dim1), max(dim0, dim1)
    if a == b:
        return numbers
    return (*numbers[:a], numbers[b], *numbers[a + 1 : b], numbers[a], *numbers[b + 1 :])


TRANSPOSE = plain_exercise(
    "transpose",
    ("size", "stride", "dim0", "dim1"),
    cases=_transpose_cases,
    reference=_transpose,
    returns=SIZE_AND_STRIDE,
    rule=_transpose_rule,
    picture=_picture,
    weigh=simplest_first(_transpose),
    mistakes=(
        Mistake(
            lambda size, stride, dim0, dim1: (_swapped(size, dim0, dim1), stride),
            "this is what you get if only the sizes change places. Each size takes its stride "
            "along.",
        ),
        Mistake(
            lambda size, stride, dim0, dim1: (size, _swapped(stride, dim0, dim1)),
            "this is what you get if only the strides change places. Each stride takes its size "
            "along.",
        ),
        Mistake(
            lambda size, stride, *_: (size[::-1], stride[::-1]),
            "this is what you get if all dims are turned round. Only dim0 and dim1 change places.",
        ),
        Mistake(
            lambda size, stride, *_: (size, stride),
            "this is what you get if nothing changes places.",
        ),
        Mistake(
            lambda size, stride, dim0, dim1: (
                _by_slices(size, dim0, dim1),
                _by_slices(stride, dim0, dim1),
            ),
            "this is what you get if negative dims are compared and cut with as they are. Make "
            "both dims positive first.",
        ),
        Mistake(
            lambda size, stride, dim0, dim1: (
                _swapped(size, dim0 % len(size), dim1 % len(size)),
                _swapped(stride, dim0 % len(size), dim1 % len(size)),
            ),
            "this is what you get if a dim that is not there is wrapped around with %. Test it "
            "before you do.",
        ),
    ),
)


def _permute_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _permute(size: Ints, stride: Ints, order: Ints) -> Plain:
    rank = len(size)
    for dim in order:
        refusal = no_dim(dim, rank)
        if refusal:
            return refusal
    named = [dim % rank for dim in order]
    for dim in range(rank):
        if named.count(dim) != 1:
            how = "named more than once" if dim in named else "not named"
            return Refusal("ValueError", f"dim {dim} is {how}")
    layout = dims.permute(Layout(size, stride), order)
    return layout.size, layout.stride


def _permute_rule(size: Ints, stride: Ints, order: Ints) -> str:
    rank = len(size)
    if any(no_dim(dim, rank) for dim in order):
        return rule_of_dims(rank)
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


def _inverse(size: Ints, stride: Ints, order: Ints) -> Any:
    back = [0] * len(size)
    for new, old in enumerate(order):
        back[old] = new
    return _ordered(size, back), _ordered(stride, back)


def _refuses_negative(size: Ints, stride: Ints, order: Ints) -> Any:
    if sorted(order) != list(range(len(size))):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


def _counts_first(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(order) != len(size):
        raise ValueError
    if len({range(len(size))[dim] for dim in order}) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


def _length_is_enough(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(order) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


def _set_is_enough(size: Ints, stride: Ints, order: Ints) -> Any:
    if len(set(order)) != len(size):
        raise ValueError
    return _ordered(size, order), _ordered(stride, order)


def _wraps_all(size: Ints, stride: Ints, order: Ints) -> Any:
    if sorted(dim % len(size) for dim in order) != list(range(len(size))):
        raise ValueError
    return tuple(size[d % len(size)] for d in order), tuple(stride[d % len(size)] for d in order)


PERMUTE = plain_exercise(
    "permute",
    ("size", "stride", "dims"),
    cases=_permute_cases,
    reference=_permute,
    returns=SIZE_AND_STRIDE,
    rule=_permute_rule,
    picture=_picture,
    weigh=simplest_first(_permute),
    mistakes=(
        Mistake(
            _inverse,
            "this is what you get from the inverse permutation. dims[i] says where new dim i "
            "comes from, not where old dim i goes.",
        ),
        Mistake(
            lambda size, stride, order: (_ordered(size, order), stride),
            "this is what you get if only the size is reordered. Each size takes its stride along.",
        ),
        Mistake(
            lambda size, stride, _: (size[::-1], stride[::-1]),
            "this is what you get if all dims are turned round, whatever dims says.",
        ),
        Mistake(
            _refuses_negative,
            "this is what you get if negative dims are sorted as they are. Make them positive "
            "before you ask whether each dim is named once.",
        ),
        Mistake(
            _counts_first,
            "this is what you get if dims are counted before each of them is looked at. A dim "
            "that is not there is an IndexError, whatever else is wrong.",
        ),
        Mistake(
            _set_is_enough,
            "this is what you get if dims are counted before the negative ones are made positive: "
            "0 and -1 can be the same dim.",
        ),
        Mistake(
            _length_is_enough,
            "this is what you get if only the number of dims is tested. A dim may be named twice "
            "and another not at all.",
        ),
        Mistake(
            _wraps_all,
            "this is what you get if a dim that is not there is wrapped around with %. Test it "
            "before you do.",
        ),
        Mistake(
            lambda size, stride, order: (_ordered(size, order), _ordered(stride, order)),
            "this is what you get if nobody asks whether dims names each dim once.",
        ),
    ),
)
