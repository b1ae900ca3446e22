"""ps5, `expand`: the stride of an expanded tensor."""

import random
from itertools import product
from math import prod

from stridekit.diagrams import Diagram
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.pictures import draw_change, draw_headers
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import LARGE_STEPS, crossed_layouts, in_every_order, put

# What the text says of the new size.
DIMS_MOST = 10
# New dims at the left.
_LEADS: tuple[Ints, ...] = (
    *((), (1,), (-1,), (-2,), (0,), (2,), (1, 1), (2, 1), (1, 2), (0, 3), (2, -1), (1, -1)),
    *((-1, 1), (1, 1, 1), (2, 1, 1), (1, 2, 1, 1), (1, 0, 1)),
)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """Every small one of few dims, fitting or not; then large numbers, many dims, old and new."""
    for n, step, leads in product(range(4), (3, 1), _LEADS if hidden else _LEADS[:14]):
        if step == 3 or leads in _LEADS[:4]:
            yield from _asked((n,), (step,), leads, (0, 2) if len(leads) > 1 else (-2, 0, 1, 2, 3))
    for size, leads in product(product(range(4 if hidden else 3), repeat=2), ((), (1,))):
        others = (-2, 0, 1, 3) if hidden and not leads else (3,)
        yield from _asked(size, contiguous_stride(size), leads, others)
    # Told apart by where a number ends.
    for n, wanted in product((1, 10, 11, 101), (1, 10, 11, 101, 2**53 + 1)):
        yield (n,), (3,), (wanted,)
        yield (n, 1), (1, 7), (wanted, 2)
    yield (300,), (2,), (1, 1, 1, 300)
    # In every order, and expanded already.
    for layout in (*in_every_order((2, 3, 2), chance), Layout((2, 3, 2), (0, 1, 0))):
        yield from ((layout, (*leads, 2, 3, 2)) for leads in ((), (1,), (2, 1)))
    # Shorter by so many dims, also where they are of size 1.
    for rank, n in product(range(1, DIMS_MOST + 1), (1, 2)):
        yield from (((n,) * rank, (2,) * rank, (n,) * fewer) for fewer in range(rank))
    for layout, row in crossed_layouts(
        chance,
        range(1, DIMS_MOST + 1),
        offsets=(0,),
        steps=LARGE_STEPS,
        sizes=("ones", "ones", "mixed", "alike", "wide", "none", "wide ones", "wide none"),
        times=5 if hidden else 1,
        new=range(DIMS_MOST if hidden else 4),
        leads=((1,), (1,), (2,), (1, 1, 2), (2, 1, 1), (1, 12), (0, 1), (1, 0, 1), (1, 1, 1, -1)),
        kept=("stays", "minus", "grows", "grows", "to none", "other", "below"),
    ):
        # The leading dims come again and again, as far as there is room.
        new = min(row.new, DIMS_MOST - layout.ndim)
        leads = (row.leads * DIMS_MOST)[-new:] if new else ()
        new_size = (*leads, *_wanted(layout.size, row.kept, chance))
        # No more elements than torch can count.
        plan = plan_expand(layout, new_size)
        if isinstance(plan, ExpandObstacle) or plan.numel < 2**63:
            yield layout, new_size


def _asked(size: Ints, stride: Ints, leads: Ints, others: Ints) -> Given:
    """After those new dims, each dim is asked to stay, or to become one of the others."""
    for kept in product(*(dict.fromkeys((n, -1, *others)) for n in size)):
        yield size, stride, leads + kept


def _wanted(size: Ints, kind: str, chance: random.Random) -> Ints:
    """What the dims that are there are to become."""
    new = tuple(chance.choice((n, -1)) if kind in ("minus", "grows") else n for n in size)
    ones = [dim for dim, n in enumerate(size) if n == 1]
    dim = chance.choice(ones if ones and kind in ("grows", "to none") else range(len(size)))
    others = {
        "grows": chance.choice((2, 6, 10, 2**53 + 1)),
        "to none": 0,
        "other": size[dim] + 1,
        "below": -2,
    }
    return put(new, dim, others[kind]) if kind in others else new


def _is_late(size: Ints, stride: Ints, new_size: Ints) -> tuple[object, ...]:
    """What makes a case come late: no elements, nothing but ones, large numbers, -1."""
    most = max((*size, *new_size), default=0)
    return 0 in new_size, most < 2, most > 99, 0 in stride, len(new_size), new_size.count(-1)


def _reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_expand(Layout(size, stride), new_size)
    return Refusal("ValueError", plan.reason) if isinstance(plan, ExpandObstacle) else plan.stride


def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return (
            "aligned at the right, a dim keeps its size, as -1 says too, and only one of size 1 "
            "can take another; new dims stand at the left, have a size of 0 or more, and none is "
            "dropped."
        )
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


def _picture(
    expected: Plain, outcome: Outcome, size: Ints, stride: Ints, new_size: Ints
) -> Diagram | None:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return draw_headers({"given": (size, stride, 0)})
    return draw_change((size, stride, 0), (plan.size, expected), (plan.size, outcome.value))


def _from_the_right(size: Ints, stride: Ints, new_size: Ints) -> Ints:
    lead = len(new_size) - len(size)
    if lead < 0:
        raise ValueError
    sizes: list[int] = []
    steps: list[int] = []
    for dim in reversed(range(len(new_size))):
        is_new, wanted = dim < lead, new_size[dim]
        n, step = (1, sizes[-1] * steps[-1]) if is_new else (size[dim - lead], stride[dim - lead])
        wanted = n if wanted == -1 and not is_new else wanted
        if wanted < 0 or n not in (1, wanted):
            raise ValueError
        sizes.append(wanted)
        steps.append(step if wanted == n else 0)
    return tuple(steps[::-1])


_but = variants(_from_the_right, contiguous_stride=contiguous_stride, prod=prod)
# What a new dim of size 1 gets, and what each dim keeps or not.
_RIGHT, _KEPT, _NONE = "sizes[-1] * steps[-1]", "wanted == n", "wanted == -1 and not is_new"


EXERCISE = Exercise(
    "expand",
    ("size", "stride", "new_size"),
    place=2,
    returns=INTS,
    reordered=("size", "stride", "new_size"),
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if a repeated dim keeps its stride. With stride 0 its "
        "index grows and the position stays.": (
            _but(_KEPT, f"{_KEPT} or not is_new"),
            _but(_KEPT, f"{_KEPT} or not is_new", _RIGHT, "0"),
        ),
        "if a new dim of size 1 looks at the dims as they were given. Take size × stride of the "
        "dim to its right as it is after expanding.": _but(_RIGHT, "size[0] * stride[0]"),
        "if a new dim of size 1 takes over the stride to its right. It gets size × stride.": _but(
            _RIGHT, "steps[-1]"
        ),
        "if every new dim gets stride 0. One of size 1 repeats nothing, and gets size × stride of "
        "the dim to its right.": _but(_RIGHT, "0"),
        "if all new dims of size 1 look at the first dim that was there. Each looks at the dim to "
        "its right, which may be a new one of stride 0.": _but(
            _RIGHT, "sizes[len(size) - 1] * steps[len(size) - 1]"
        ),
        "if -1 is multiplied as it stands. It means the size that the dim has.": _but(
            _RIGHT, "new_size[dim + 1] * steps[-1]"
        ),
        "if a new dim of size 1 gets the product of all sizes to its right. It gets size × stride "
        "of its neighbour, and the neighbour may have stride 0.": _but(_RIGHT, "prod(sizes)"),
        "if every dim of size 1 gets stride 0. One that stays 1 keeps its stride.": (
            _but(_KEPT, f"{_KEPT} and (is_new or n != 1)"),
            _but(_KEPT, f"{_KEPT} != 1"),
        ),
        "these are the strides of a copy, in row-major order. expand copies nothing.": _but(
            "tuple(steps[::-1])", "contiguous_stride((*sizes[::-1],))"
        ),
    },
    refusing={
        "if each negative size keeps the size that is there. Only -1 does, and only for a dim that "
        "is there.": _but(_NONE, "wanted == -1 or (wanted < 0 and not is_new)"),
        "if only -1 is refused for a new dim. No negative size fits there.": _but(
            "wanted < 0 or", "wanted < 0 and (wanted == -1 or not is_new) or"
        ),
        "if leading dims of size 1 may be dropped. expand drops no dim.": _but(
            "if lead < 0:", "if lead < 0 and {*size[:-lead]} - {1}:"
        ),
        "if what does not fit is not refused.": _but(
            *("lead < 0", "False", _NONE, "wanted == -1"),
            *("wanted < 0 or n not in (1, wanted)", "False"),
        ),
    },
)
