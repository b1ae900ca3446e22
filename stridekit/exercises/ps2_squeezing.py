"""Assignment ps2, the operations on dims of size 1: unsqueeze and squeeze."""

import random
from collections.abc import Callable, Iterable
from math import prod
from typing import Any

from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Case, Function, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps2_shared import (
    bad_dims,
    dims_of,
    draw_header_change,
    no_dim,
    random_headers,
    rule_of_dims,
    simplest_first,
    small_pairs,
    without_dim,
)
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout


def _unsqueeze_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for rank in range(4 if hidden else 3):
        for size, stride in small_pairs(rank):
            for dim in dims_of(rank + 1):
                yield size, stride, dim
            for dim in bad_dims(rank + 1):
                yield size, stride, dim
    for layout, _ in random_headers(1000 if hidden else 300, chance):
        new_rank = layout.ndim + 1
        dim = chance.choice((*dims_of(new_rank), *bad_dims(new_rank)))
        yield layout.size, layout.stride, dim


def _unsqueeze(size: Ints, stride: Ints, dim: int) -> Plain:
    refusal = no_dim(dim, len(size) + 1)
    if refusal:
        # The dim counts in the result.
        return type(refusal)(refusal.error, refusal.why.replace("a tensor", "the result, a tensor"))
    layout = dims.unsqueeze(Layout(size, stride), dim)
    return layout.size, layout.stride


def _unsqueeze_rule(size: Ints, stride: Ints, dim: int) -> str:
    rank = len(size)
    if no_dim(dim, rank + 1):
        return f"the new dim counts in the result, of rank {rank} + 1 = {rank + 1}: " + (
            rule_of_dims(rank + 1)
        )
    at = dim % (rank + 1)
    counted = (
        f"dim {dim} counts in the result, of rank {rank + 1}, so it is dim {dim} + {rank + 1} = "
        f"{at} there; "
        if dim < 0
        else ""
    )
    if at == rank:
        return f"{counted}nothing stands to the right of the new dim, so its stride is 1."
    return (
        f"{counted}the new dim {at} has size 1 and stride size × stride of what now stands to its "
        f"right: {size[at]} × {stride[at]} = {size[at] * stride[at]}."
    )


def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride, _ = case.arguments
    return draw_header_change((size, stride, 0), expected, returned)


def _inserting(
    step: Callable[[Ints, Ints, int], int] = lambda size, stride, at: size[at] * stride[at],
    place: Callable[[int, int], int] = lambda dim, rank: dim % (rank + 1),
    last: int = 1,
) -> Function:
    """A way to unsqueeze, right but for the parts that are given."""

    def wrong(size: Ints, stride: Ints, dim: int) -> Any:
        at = place(dim, len(size))
        own = last if at == len(size) else step(size, stride, at)
        return (*size[:at], 1, *size[at:]), (*stride[:at], own, *stride[at:])

    return wrong


_ACCEPTED = (
    "this is what you get if a dim that is not there is accepted: % wraps it around, and a slice "
    "cuts it off at the end. Test the dim first."
)

UNSQUEEZE = plain_exercise(
    "unsqueeze",
    ("size", "stride", "dim"),
    cases=_unsqueeze_cases,
    reference=_unsqueeze,
    returns=SIZE_AND_STRIDE,
    rule=_unsqueeze_rule,
    picture=_picture,
    weigh=simplest_first(_unsqueeze),
    mistakes=(
        Mistake(
            _inserting(place=lambda dim, rank: dim + rank if dim < 0 else dim),
            "this is what you get if the rank is added to a negative dim. The dim counts in the "
            "result, which has one dim more: add rank + 1.",
        ),
        Mistake(
            _inserting(lambda *_: 1),
            "this is what you get if the new stride is always 1. It never matters for reading, "
            "but torch makes it size × stride of the dim to the right.",
        ),
        Mistake(
            _inserting(lambda *_: 0, last=0),
            "this is what you get if the new stride is always 0. That is expand's way.",
        ),
        Mistake(
            _inserting(lambda _, stride, at: stride[at]),
            "this is what you get if the new dim takes the stride of the dim to its right. It is "
            "multiplied by that dim's size.",
        ),
        Mistake(
            _inserting(lambda size, _, at: prod(size[at:])),
            "this is what you get if the tensor is taken for row-major. Count with the strides "
            "that you are given, not with the sizes alone.",
        ),
        Mistake(
            _inserting(lambda size, stride, at: max(size[at], 1) * stride[at]),
            "this is what you get if a size 0 counts as 1. Here torch multiplies by the size as "
            "it is.",
        ),
        Mistake(
            _inserting(),
            _ACCEPTED,
        ),
        Mistake(
            _inserting(
                place=lambda dim, rank: max(0, min(dim if dim >= 0 else dim + rank + 1, rank))
            ),
            _ACCEPTED,
        ),
    ),
)


def _squeeze_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for rank in (1, 2, 3) if hidden else (1, 2):
        for size, stride in small_pairs(rank):
            for dim in dims_of(rank):
                yield size, stride, dim
            yield size, stride, bad_dims(rank)[sum(stride) % 2]
    for layout, dim in random_headers(1200 if hidden else 300, chance):
        yield (
            layout.size,
            layout.stride,
            (dim if chance.random() < 0.8 else chance.choice(bad_dims(layout.ndim))),
        )


def _squeeze(size: Ints, stride: Ints, dim: int) -> Plain:
    refusal = no_dim(dim, len(size))
    if refusal:
        return refusal
    layout = dims.squeeze(Layout(size, stride), (dim,))
    return layout.size, layout.stride


def _squeeze_rule(size: Ints, stride: Ints, dim: int) -> str:
    if no_dim(dim, len(size)):
        return rule_of_dims(len(size))
    at = dim % len(size)
    named = f"dim {dim}" if dim >= 0 else f"dim {dim}, which is dim {at},"
    if size[at] == 1:
        return (
            f"{named} has size 1, so it goes away, with its stride {stride[at]}; all other dims "
            "stay, those of size 1 too."
        )
    return f"{named} has size {size[at]}, and only a dim of size 1 goes away: nothing changes."


def _without_ones(numbers: Ints, size: Ints) -> Ints:
    return tuple(number for number, n in zip(numbers, size, strict=True) if n != 1)


def _when_one(
    size: Ints, stride: Ints, dim: int, result: Callable[[Ints], Ints]
) -> tuple[Ints, Ints]:
    return (result(size), result(stride)) if size[dim] == 1 else (size, stride)


def _refuses_others(size: Ints, stride: Ints, dim: int) -> Any:
    if size[dim] != 1:
        raise ValueError
    return without_dim(size, dim), without_dim(stride, dim)


SQUEEZE = plain_exercise(
    "squeeze",
    ("size", "stride", "dim"),
    cases=_squeeze_cases,
    reference=_squeeze,
    returns=SIZE_AND_STRIDE,
    rule=_squeeze_rule,
    picture=_picture,
    weigh=simplest_first(_squeeze),
    mistakes=(
        Mistake(
            lambda size, stride, dim: (without_dim(size, dim), without_dim(stride, dim)),
            "this is what you get if the dim is dropped whatever its size. A dim of another size "
            "than 1 stays: without it, elements would be lost.",
        ),
        Mistake(
            _refuses_others,
            "this is what you get if a dim of another size is refused. torch leaves it as it is, "
            "and says nothing.",
        ),
        Mistake(
            lambda size, stride, _: (_without_ones(size, size), _without_ones(stride, size)),
            "this is what you get if all dims of size 1 are dropped. Only `dim` is asked for.",
        ),
        Mistake(
            lambda size, stride, _: (size, stride),
            "this is what you get if nothing is ever dropped.",
        ),
        Mistake(
            lambda size, stride, dim: _when_one(
                size, stride, dim, lambda numbers: numbers[:dim] + numbers[dim + 1 :]
            ),
            "this is what you get from size[:dim] + size[dim + 1:] if dim is -1: dim + 1 is 0 "
            "then. Make the dim positive first.",
        ),
        Mistake(
            lambda size, stride, dim: _when_one(
                size, stride, dim % len(size), lambda numbers: without_dim(numbers, dim)
            ),
            "this is what you get if a dim that is not there is wrapped around with %. Test it "
            "before you do.",
        ),
    ),
)
