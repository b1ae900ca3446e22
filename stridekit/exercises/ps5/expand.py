"""ps5, `expand`: the stride of an expanded tensor."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments, Draft, Refusal
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import INTS
from stridekit.checks.seam import Case, Plain
from stridekit.checks.weights import weigh_strides
from stridekit.diagrams import Diagram
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

_OWN_TARGETS = {1: (-1, 0, 1, 2, 3)}
draft = Draft("expand", ("size", "stride", "new_size"), place=2, returns=INTS)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    size: Ints
    stride: Ints
    for size, stride in product(product(range(4)), ((0,), (1,), (3,))):
        for leads in ((), (0,), (1,), (2,), (1, 1), (2, 1), (1, 2), (0, 3)):
            yield from _all_that_fit(size, stride, leads)
        for new_size in ((-2, 2), (0, -2), (-2, -1), (-1, -1), (-1, 0), (1, -1, 2), (-1, 1, 1)):
            yield from _if_it_does_not_fit(size, stride, new_size)
        yield from _near_misses(size, stride)
    for size in product(range(4), repeat=2):
        for stride in (contiguous_stride(size), (2, 7)):
            for leads in ((), (0,), (1,), (2,)):
                yield from _all_that_fit(size, stride, leads)
        yield from _near_misses(size, contiguous_stride(size))
    if hidden:
        for size in product(range(4), repeat=3):
            for leads in ((), (1,)):
                yield from _all_that_fit(size, contiguous_stride(size), leads)
            yield from _near_misses(size, contiguous_stride(size))
    for layout in random_layouts(500 if hidden else 100, chance):
        size = tuple(n if chance.random() < 0.6 else 1 for n in layout.size)
        lead = tuple(chance.choice((0, 1, 1, 2, 5)) for _ in range(chance.choice((0, 0, 1, 2))))
        kept = tuple(chance.choice((n, -1) if n != 1 else (-1, 0, 1, 2, 6)) for n in size)
        yield size, layout.stride, lead + kept


def _all_that_fit(size: Ints, stride: Ints, leads: Ints) -> Iterator[Arguments]:
    for kept in product(*(_OWN_TARGETS.get(n, (-1, n)) for n in size)):
        yield size, stride, leads + kept


def _near_misses(size: Ints, stride: Ints) -> Iterator[Arguments]:
    """New sizes with a dim too few, a new dim without a size, or one dim that does not fit."""
    yield size, stride, size[1:]
    yield size, stride, (-1, *size)
    for dim in range(len(size)):
        for wanted in (-2, 0, 1, 2, 3):
            new_size = (*size[:dim], wanted, *size[dim + 1 :])
            yield from _if_it_does_not_fit(size, stride, new_size)
            yield from _if_it_does_not_fit(size, stride, (2, *new_size))


def _if_it_does_not_fit(size: Ints, stride: Ints, new_size: Ints) -> Iterator[Arguments]:
    if isinstance(plan_expand(Layout(size, stride), new_size), ExpandObstacle):
        yield size, stride, new_size


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """New sizes with a 0 come late: what they show is that nothing is left to show."""
    return 0 in case.arguments[2], weigh_strides(case)


@draft.reference
def _reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_expand(Layout(size, stride), new_size)
    if not isinstance(plan, ExpandObstacle):
        return plan.stride
    if plan.dim is None:
        return Refusal("ValueError", "a dim would have to be dropped")
    return Refusal("ValueError", plan.reason)


@draft.rule
def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return _misfit_rule(plan)
    lead = len(new_size) - len(size)
    clauses = []
    for dim, (n, step) in enumerate(zip(plan.size, plan.stride, strict=True)):
        if dim < lead and n == 1:
            right = f"{plan.size[dim + 1]} × {plan.stride[dim + 1]}"
            clauses.append(
                f"dim {dim} is new, of size 1, and gets size × stride of the dim to its right, "
                f"{right} = {step}"
            )
        elif dim < lead:
            clauses.append(f"dim {dim} is new, of size {n}, and gets stride 0")
        elif n == size[dim - lead]:
            clauses.append(f"dim {dim} keeps size {n} and so its stride {step}")
        else:
            clauses.append(f"dim {dim} goes from size 1 to {n} and gets stride 0")
    return f"{'; '.join(clauses)}."


def _misfit_rule(obstacle: ExpandObstacle) -> str:
    size, new_size, dim = obstacle.layout.size, obstacle.new_size, obstacle.dim
    if dim is None:
        return (
            "expand adds dims at the left and drops none: of rank "
            f"{len(size)} it cannot make rank {len(new_size)}."
        )
    if obstacle.size is None:
        return f"a new dim needs a size of 0 or more, and dim {dim} is given {new_size[dim]}."
    if new_size[dim] < -1:
        return f"a size is 0 or more, or -1 for a dim that stays: {new_size[dim]} is neither."
    return (
        "aligned at the right, only a dim of size 1 can take another size: dim "
        f"{dim - len(new_size)} has size {obstacle.size} and would become {new_size[dim]}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride, new_size = case.arguments
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return draw_headers({"given": (size, stride, 0)})
    return draw_headers(
        {
            "given": (size, stride, 0),
            "expected": (plan.size, expected, 0),
            "yours": (plan.size, returned, 0),
        }
    )


def _expanded(
    size: Ints,
    stride: Ints,
    new_size: Ints,
    *,
    repeated: bool = True,
    ones: bool = False,
    new_ones: str = "right",
) -> Any:
    """The stride of an expand, in one of a few wrong ways."""
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        raise ValueError
    lead = len(new_size) - len(size)
    result = list(plan.stride)
    for dim, n in enumerate(plan.size):
        if dim >= lead and ((n != size[dim - lead] and not repeated) or (n == 1 and ones)):
            result[dim] = 0 if ones else stride[dim - lead]
        if dim < lead and n == 1:
            result[dim] = {
                "right": plan.stride[dim],
                "zero": 0,
                "one": 1,
                "given": size[0] * stride[0],
                "stride": plan.stride[dim + 1],
            }[new_ones]
    return tuple(result)


_KEEPS = (
    "this is what you get if a repeated dim keeps its stride. With stride 0 its index grows and "
    "the position stays."
)
_ONES = (
    "this is what you get if every dim of size 1 gets stride 0. One that stays 1 keeps its stride."
)


@draft.mistake(_KEEPS)
def _keeps_stride(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, repeated=False)


@draft.mistake(_KEEPS)
def _keeps_stride_new_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, repeated=False, new_ones="zero")


@draft.mistake(
    "this is what you get if a new dim of size 1 looks at the dims as they were given. "
    "Take size × stride of the dim to its right as it is after expanding."
)
def _new_from_given(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="given")


@draft.mistake(
    "this is what you get if a new dim of size 1 takes over the stride to its right. It "
    "gets size × stride."
)
def _new_takes_stride(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="stride")


@draft.mistake(
    "this is what you get if every new dim gets stride 0. One of size 1 repeats "
    "nothing, and gets size × stride of the dim to its right."
)
def _new_always_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="zero")


@draft.mistake(_ONES)
def _ones_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, ones=True)


@draft.mistake(_ONES)
def _ones_zero_new_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, ones=True, new_ones="zero")


@draft.mistake("these are the strides of a copy, in row-major order. expand copies nothing.")
def _row_major(size: Ints, stride: Ints, new_size: Ints) -> Any:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        raise ValueError
    return contiguous_stride(plan.size)


EXERCISE = draft.exercise()
