"""Assignment ps5, broadcasting: broadcast_sizes and expand."""

import random
from collections.abc import Iterable, Iterator
from itertools import product, zip_longest
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, random_sizes, small_sizes
from stridekit.checks.exercise import Arguments, Mistake, Refusal, plain_exercise
from stridekit.checks.pictures import LONGEST, draw_headers
from stridekit.checks.returns import INTS
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw
from stridekit.exercises.ps5_overlap import weigh_strides
from stridekit.layouts.broadcasting import ExpandObstacle, Misfit, plan_expand
from stridekit.layouts.broadcasting import broadcast_sizes as broadcast
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.constructors import arange

# broadcast_sizes


def _broadcast_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    small = [*small_sizes(2)]
    for count in (1, 2):
        yield from product(small, repeat=count)
    yield from product(small_sizes(1), repeat=3)
    if hidden:
        yield from product(small_sizes(3, most=2), repeat=2)
        yield from product(small_sizes(2, most=2), repeat=3)
        for size in product(range(4), repeat=3):
            for other in small_sizes(1):
                yield size, other
                yield other, size
    for size in random_sizes(600 if hidden else 150, chance, (2, 5), 10**6):
        yield _sizes_that_fit(size, chance, spoil=chance.random() < 0.2)


def _weigh_sizes(case: Case) -> tuple[Any, ...]:
    """Few and short sizes first; those with a 0 after all that have elements."""
    numbers = [n for size in case.arguments for n in size]
    return 0 in numbers, len(case.arguments), len(numbers), sum(numbers), repr(case.arguments)


def _sizes_that_fit(size: Ints, chance: random.Random, *, spoil: bool) -> Arguments:
    """Two to four sizes that broadcast to this one at most; mostly not if spoilt."""
    sizes = []
    for _ in range(chance.randint(2, 4)):
        part = [n if chance.random() < 0.6 else 1 for n in size]
        sizes.append(part[chance.choice((0, 0, 1, len(size) - 1)) :])
    if spoil:
        chosen = chance.choice(sizes)
        chosen[chance.randrange(len(chosen))] += 1
    return tuple(map(tuple, sizes))


def _broadcast_reference(*sizes: Ints) -> Plain:
    outcome = broadcast(*sizes)
    if not isinstance(outcome, Misfit):
        return outcome
    return Refusal(
        "ValueError",
        f"aligned at the right, dim -{outcome.place} is {outcome.first} in one size and "
        f"{outcome.second} in another",
    )


def _broadcast_rule(*sizes: Ints) -> str:
    outcome = broadcast(*sizes)
    if isinstance(outcome, Misfit):
        return (
            "aligned at the right, sizes must be equal at every place, or one of them 1: at "
            f"dim -{outcome.place} stand {outcome.first} and {outcome.second}."
        )
    if len(sizes) == 1:
        return "a single size has nothing to give way to: it stays as it is."
    if not outcome:
        return "rank 0 has no dims, so there is nothing to align: the size is ()."
    clauses = []
    for place in range(1, len(outcome) + 1):
        here = [str(size[-place]) if place <= len(size) else "none" for size in sizes]
        gives = outcome[-place]
        clauses.append(f"dim -{place} has {', '.join(here[:-1])} and {here[-1]}, so {gives}")
    return (
        "align the sizes at the right, count a missing dim as 1, and let 1 give way, to 0 too: "
        f"{'; '.join(clauses)}."
    )


def _broadcast_picture(case: Case, expected: Plain, _: Plain) -> Diagram | None:
    sizes = case.arguments
    if max(prod(size) for size in sizes) > LONGEST or (expected and prod(expected) > LONGEST):
        return None
    tensors = {
        f"sizes[{number}]": arange(prod(size)).view(size) for number, size in enumerate(sizes)
    }
    if expected is not None:
        tensors = {name: tensor.expand(expected) for name, tensor in tensors.items()}
    return draw(tensors)


def _combined(places: Iterable[Ints], *, refuses: bool, larger: bool = False) -> Any:
    """What comes of the sizes that stand at each place, in one of a few wrong ways."""
    result = []
    for here in places:
        others = {n for n in here if n != 1}
        if refuses and len(others) > 1:
            raise ValueError
        result.append(max(here) if larger or not others else max(others))
    return tuple(result)


def _from_the_right(sizes: tuple[Ints, ...]) -> list[Ints]:
    return [*zip_longest(*(size[::-1] for size in sizes), fillvalue=1)]


def _aligned_left(*sizes: Ints) -> Any:
    return _combined(zip_longest(*sizes, fillvalue=1), refuses=True)


def _left_larger(*sizes: Ints) -> Any:
    return _combined(zip_longest(*sizes, fillvalue=1), refuses=True, larger=True)


def _larger_wins(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes), refuses=True, larger=True)[::-1]


def _never_refuses(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes), refuses=False)[::-1]


def _zero_fits_all(*sizes: Ints) -> Any:
    places = _from_the_right(sizes)
    return tuple(0 if 0 in here else _combined([here], refuses=True)[0] for here in places)[::-1]


def _reversed_result(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes), refuses=True)


def _same_rank_only(*sizes: Ints) -> Any:
    if len(set(map(len, sizes))) > 1:
        raise ValueError
    return _combined(_from_the_right(sizes), refuses=True)[::-1]


def _first_two(*sizes: Ints) -> Any:
    return _combined(_from_the_right(sizes[:2]), refuses=True)[::-1]


_LEFT = "this is what you get if the sizes are aligned at the left. Their last dims stand together."

BROADCAST_SIZES = plain_exercise(
    "broadcast_sizes",
    ("*sizes",),
    cases=_broadcast_cases,
    reference=_broadcast_reference,
    returns=INTS,
    rule=_broadcast_rule,
    picture=_broadcast_picture,
    weigh=_weigh_sizes,
    mistakes=(
        Mistake(_aligned_left, _LEFT),
        Mistake(_left_larger, _LEFT),
        Mistake(
            _same_rank_only,
            "this is what you get if all sizes must have the same number of dims. A missing "
            "dim counts as 1.",
        ),
        Mistake(_reversed_result, "these are the right sizes, from the last dim to the first."),
        Mistake(_first_two, "this is what you get if only the first two sizes are looked at."),
        Mistake(
            _zero_fits_all,
            "this is what you get if 0 wins against every size. It is a size as others are: "
            "only 1 gives way to it.",
        ),
        Mistake(
            _larger_wins,
            "this is what you get if the larger size wins. 1 gives way to any other, to 0 too.",
        ),
        Mistake(_never_refuses, "this is what you get if sizes that do not fit are not refused."),
    ),
)

# expand

_OWN_TARGETS = {1: (-1, 0, 1, 2, 3)}


def _expand_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _weigh_expand(case: Case) -> tuple[Any, ...]:
    """New sizes with a 0 come late: what they show is that nothing is left to show."""
    return 0 in case.arguments[2], weigh_strides(case)


def _expand_reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_expand(Layout(size, stride), new_size)
    if not isinstance(plan, ExpandObstacle):
        return plan.stride
    if plan.dim is None:
        return Refusal("ValueError", "a dim would have to be dropped")
    return Refusal("ValueError", plan.reason)


def _expand_rule(size: Ints, stride: Ints, new_size: Ints) -> str:
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


def _expand_picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
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


def _keeps_stride(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, repeated=False)


def _keeps_stride_new_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, repeated=False, new_ones="zero")


def _new_always_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="zero")


def _new_from_given(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="given")


def _new_takes_stride(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="stride")


def _ones_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, ones=True)


def _ones_zero_new_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, ones=True, new_ones="zero")


def _row_major(size: Ints, stride: Ints, new_size: Ints) -> Any:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        raise ValueError
    return contiguous_stride(plan.size)


_KEEPS = (
    "this is what you get if a repeated dim keeps its stride. With stride 0 its index grows and "
    "the position stays."
)
_ONES = (
    "this is what you get if every dim of size 1 gets stride 0. One that stays 1 keeps its stride."
)

EXPAND = plain_exercise(
    "expand",
    ("size", "stride", "new_size"),
    cases=_expand_cases,
    reference=_expand_reference,
    returns=INTS,
    rule=_expand_rule,
    picture=_expand_picture,
    weigh=_weigh_expand,
    mistakes=(
        Mistake(_keeps_stride, _KEEPS),
        Mistake(_keeps_stride_new_zero, _KEEPS),
        Mistake(
            _new_from_given,
            "this is what you get if a new dim of size 1 looks at the dims as they were given. "
            "Take size × stride of the dim to its right as it is after expanding.",
        ),
        Mistake(
            _new_takes_stride,
            "this is what you get if a new dim of size 1 takes over the stride to its right. It "
            "gets size × stride.",
        ),
        Mistake(
            _new_always_zero,
            "this is what you get if every new dim gets stride 0. One of size 1 repeats "
            "nothing, and gets size × stride of the dim to its right.",
        ),
        Mistake(_ones_zero, _ONES),
        Mistake(_ones_zero_new_zero, _ONES),
        Mistake(
            _row_major,
            "these are the strides of a copy, in row-major order. expand copies nothing.",
        ),
    ),
)
