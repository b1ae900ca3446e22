"""ps5, `expand`: the stride of an expanded tensor."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Arguments, Draft, Refusal
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import INTS

# What a dim of size 1 is asked to become; others only keep their size.
_FROM_ONE = (-1, 0, 1, 2, 3)
_LEADS: tuple[Ints, ...] = ((), (0,), (1,), (2,), (1, 1), (2, 1), (1, 2), (0, 3))
_MORE_LEADS: tuple[Ints, ...] = ((1, 1, 1), (2, 1, 1), (1, 2, 1, 1), (1, 0, 1))


def expansions(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """Every small one of few dims, fitting or not; large numbers; many dims, old and new ones."""
    for n in range(4):
        for leads in (*_LEADS, *_MORE_LEADS) if hidden else _LEADS:
            yield from _all_that_fit((n,), (3,), leads)
        for step, leads in product((0, 1) if hidden else (1,), _LEADS if hidden else ((), (1,))):
            yield from _all_that_fit((n,), (step,), leads)
    for n in range(4):
        for new_size in ((-2, 2), (0, -2), (-2, -1), (-1, -1), (-1, 0), (1, -1, 2), (-1, 1, 1)):
            yield from _if_it_does_not_fit((n,), (1,), new_size)
        yield from _near_misses((n,), (1,), (-3, -2, 0, 1, 2, 3))
    for size in product(range(4 if hidden else 3), repeat=2):
        steps = contiguous_stride(size)
        for leads in ((), (1,)):
            yield from _all_that_fit(size, steps, leads, _FROM_ONE if hidden else (1, 3))
        yield from _near_misses(size, steps, (-2, 0, 1, 3) if hidden else (3,))
        yield size, (2, 7), (1, -1, -1)
        yield size, (2, 7), (2, 1, 1, *size)
    if hidden:
        for size in product(range(3), repeat=3):
            for leads in ((), (1,)):
                yield from _all_that_fit(size, (5, 0, 2), leads, (-1, 3))
    yield from _large()
    for _ in range(250 if hidden else 40):
        yield _random(chance)


def _all_that_fit(
    size: Ints, stride: Ints, leads: Ints, from_one: Ints = _FROM_ONE
) -> Iterator[Arguments]:
    for kept in product(*(from_one if n == 1 else (-1, n) for n in size)):
        yield size, stride, leads + kept


def _near_misses(size: Ints, stride: Ints, others: Ints) -> Iterator[Arguments]:
    """New sizes with a dim too few, a new dim without a size, or one dim that does not fit."""
    yield size, stride, size[1:]
    yield size, stride, (-1, *size)
    yield size, stride, (2, -1, *size)
    yield size, stride, (-5, *size)
    for dim in range(len(size)):
        for wanted in others:
            new_size = (*size[:dim], wanted, *size[dim + 1 :])
            yield from _if_it_does_not_fit(size, stride, new_size)
            yield from _if_it_does_not_fit(size, stride, (2, *new_size))


def _if_it_does_not_fit(size: Ints, stride: Ints, new_size: Ints) -> Iterator[Arguments]:
    if isinstance(plan_expand(Layout(size, stride), new_size), ExpandObstacle):
        yield size, stride, new_size


def _large() -> Iterator[Arguments]:
    """Large numbers, multiples, and many dims, old ones and new ones."""
    for n, wanted in ((2, 4), (4, 2), (3, 6), (10, 1), (10, 20), (300, 600), (300, 301), (11, 1)):
        yield (n,), (1,), (wanted,)
        yield (n, 2), (2, 1), (1, wanted, 2)
    for n, step in ((12, 1), (300, 1), (300, 7), (1000, 300), (2, 2**53 + 1), (1, 2**53 + 1)):
        # As an object of its own: what counts is the number.
        own = int(f"{n}")
        yield (n,), (step,), (own,)
        yield (n,), (step,), (1, own)
        yield (n, 1), (step, 1), (1, 1, own, 12)
        yield (1, n), (step, step), (-1, -1)
    for rank in (3, 4, 5, 7):
        yield (3,), (2,), (*(1,) * (rank - 1), 3)
        yield (2, 3), (3, 1), (*(1,) * (rank - 2), -1, 3)
        yield (1,), (4,), (*(1,) * (rank - 2), 2, -1)
        yield (3,), (2,), (*(2,) * (rank - 1), 3)
        size = (*(2, 1, 3, 1, 2, 1, 1)[:rank],)
        steps = tuple(range(rank, 0, -1))
        yield size, steps, size
        yield size, steps, (-1,) * rank
        yield size, steps, tuple(4 if n == 1 else -1 for n in size)
        yield size, steps, (*size[:-1], -2)
        yield size, steps, (*size[1:], 2)
        yield size[1:], steps[1:], (1, *size[1:])
        yield size, steps, (2,) * rank


def _random(chance: random.Random) -> Arguments:
    """Any header, with up to four new dims; mostly it fits."""
    rank = chance.randint(1, 6)
    size = tuple(chance.choice((0, 1, 1, 1, 2, 3, 5, 12)) for _ in range(rank))
    stride = tuple(chance.choice((0, 1, 2, 3, 7, 12, 300)) for _ in range(rank))
    leads = [chance.choice((0, 1, 1, 1, 2, 5, 10)) for _ in range(chance.randint(0, 4))]
    kept = [chance.choice((n, -1) if n != 1 else (-1, 0, 1, 2, 6, 10)) for n in size]
    if chance.random() < 0.15:
        dim = chance.randrange(rank)
        kept[dim] = chance.choice((-2, size[dim] + 1, 2 * size[dim], 1))
    return size, stride, (*leads, *kept)


def weigh_expansion(case: Case) -> tuple[Any, ...]:
    """New sizes with a 0 come late, and before them those with nothing but ones."""
    size, stride, new_size = case.arguments
    kept = (*(1,) * (len(new_size) - len(size)), *size)
    most = max((n if n > 0 else own for n, own in zip(new_size, kept, strict=False)), default=0)
    none = 0 in new_size
    return (
        *(none, most < 2 and not none, most > 99, 0 in stride),
        *(len(new_size), len(size), new_size.count(-1)),
        *(sum(map(abs, (*size, *stride, *new_size))), repr(case.arguments)),
    )


draft = Draft("expand", ("size", "stride", "new_size"), place=2, returns=INTS)
draft.cases(expansions)
draft.weigh(weigh_expansion)


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
                "first": plan.size[lead] * plan.stride[lead],
                "minus": new_size[dim + 1] * plan.stride[dim + 1],
                "row-major": contiguous_stride(plan.size)[dim],
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


@draft.mistake(
    "this is what you get if all new dims of size 1 look at the first dim that was there. Each "
    "looks at the dim to its right, which may be a new one of stride 0."
)
def _new_from_first(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="first")


@draft.mistake(
    "this is what you get if -1 is multiplied as it stands. It means the size that the dim has."
)
def _new_from_minus(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="minus")


@draft.mistake(
    "this is what you get if a new dim of size 1 gets the product of all sizes to its right. It "
    "gets size × stride of its neighbour, and the neighbour may have stride 0."
)
def _new_row_major(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="row-major")


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


def _lenient(size: Ints, stride: Ints, new_size: Ints, *, negative_keeps: bool = False) -> Any:
    """The stride where nothing is refused, or where each negative size keeps what is there."""
    steps: list[int] = []
    right = 0
    for place in range(1, len(new_size) + 1):
        own = place <= len(size)
        n, step = (size[-place], stride[-place]) if own else (1, right)
        wanted = new_size[-place]
        if wanted == -1 or (negative_keeps and wanted < 0 and own):
            wanted = n
        if wanted != n:
            if negative_keeps and (n != 1 or wanted < 0):
                raise ValueError
            step = 0
        steps.insert(0, step)
        right = wanted * step
    return tuple(steps)


@draft.mistake(
    "this is what you get if each negative size keeps the size that is there. Only -1 does, and "
    "only for a dim that is there."
)
def _negative_keeps(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if len(new_size) < len(size):
        raise ValueError
    return _lenient(size, stride, new_size, negative_keeps=True)


@draft.mistake(
    "this is what you get if only -1 is refused for a new dim. No negative size fits there."
)
def _new_negative(size: Ints, stride: Ints, new_size: Ints) -> Any:
    lead = len(new_size) - len(size)
    return _reference_or_raise(
        size, stride, tuple(0 if d < lead and n < -1 else n for d, n in enumerate(new_size))
    )


@draft.mistake(
    "this is what you get if leading dims of size 1 may be dropped. expand drops no dim."
)
def _drops_ones(size: Ints, stride: Ints, new_size: Ints) -> Any:
    drop = max(0, len(size) - len(new_size))
    if any(n != 1 for n in size[:drop]):
        raise ValueError
    return _reference_or_raise(size[drop:], stride[drop:], new_size)


def _reference_or_raise(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    right = _reference(size, stride, new_size)
    if isinstance(right, Refusal):
        raise ValueError
    return right


draft.mistake("this is what you get if what does not fit is not refused.", _lenient)
EXERCISE = draft.exercise()
