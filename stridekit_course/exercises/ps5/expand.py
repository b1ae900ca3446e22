"""ps5, `expand`: the stride of an expanded tensor."""

import random
from itertools import product

from stridekit.diagrams import Diagram
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.pictures import draw_change
from stridekit_course.checks.returns import INTS
from stridekit_course.checks.strategies import (
    LARGE_STEPS,
    crossed_layouts,
    in_every_order,
    small_sizes,
)

# What the text says of the new size.
DIMS_MOST = 10


def _cases(hidden: bool, chance: random.Random) -> Given:
    """Every small one of one dim, fitting or not; then large numbers, many dims, old and new."""
    for n, leads in product(range(4), small_sizes(1 + hidden, most=1, least=-2)):
        yield from (((n,), (3,), (*leads, wanted)) for wanted in (-2, -1, 0, 1, 2, 3))
    # Told apart by where a number ends.
    for n, wanted in product((1, 3, 11, 300), (1, 3, 10, 11, 101, 300, 2**53 + 1)):
        yield (n,), (2,), (wanted,)
        yield from (((n, 1), (1, 7), (*leads, wanted, 2)) for leads in ((), (1,), (1, 1, 1)))
    for layout in in_every_order((2, 3, 2), chance):
        yield from ((layout, (*leads, 2, 3, 2)) for leads in ((1,), (2, 1)))
    # Shorter by so many dims, also where they are of size 1.
    for rank, n in product(range(1, DIMS_MOST + 1), (1, 2)):
        yield from (((n,) * rank, (2,) * rank, (n,) * fewer) for fewer in range(rank))
    for layout, row in crossed_layouts(
        chance,
        range(1, DIMS_MOST + 1),
        offsets=(0,),
        steps=LARGE_STEPS,
        sizes=("ones", "ones", "mixed", "alike", "wide", "none", "wide ones", "wide none"),
        times=6 if hidden else 1,
        new=range(DIMS_MOST),
        leads=((1,), (1,), (2,), (1, 1, 2), (2, 1, 1), (1, 12), (0, 1), (1, 0, 1), (1, 1, 1, -1)),
        minus=(False, True),
        wanted=(None, 1, 2, 6, 10, 2**53 + 1, 0, -2),
    ):
        kept = [chance.choice((n, -1)) if row.minus else n for n in layout.size]
        if row.wanted is not None:
            kept[chance.randrange(layout.ndim)] = row.wanted
        # The leading dims come again and again, as far as there is room.
        new_size = (*(row.leads * DIMS_MOST)[: row.new], *kept)[-DIMS_MOST:]
        # No more elements than torch can count.
        plan = plan_expand(layout, new_size)
        if isinstance(plan, ExpandObstacle) or plan.numel < 2**63:
            yield layout, new_size


def _reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return Refusal("ValueError", plan.reason)
    steps: list[int] = []
    for dim in reversed(range(plan.ndim)):
        old = dim - (plan.ndim - len(size))
        n, step = (1, plan.size[dim + 1] * steps[-1]) if old < 0 else (size[old], stride[old])
        steps.append(step if plan.size[dim] == n else 0)
    return tuple(steps[::-1])


def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return (
            "aligned at the right, a dim keeps its size, as -1 says too, or takes another from "
            "size 1; new dims stand at the left, have a size of 0 or more, and none is dropped."
        )
    clauses: list[str] = []
    for old, (n, step) in enumerate(plan.dims, len(size) - plan.ndim):
        why = f"{'is new, of size' if old < 0 else 'goes from size 1 to'} {n}, and gets stride 0"
        if old >= 0 and n == size[old]:
            why = f"keeps size {n} and so its stride {step}"
        elif old < 0 and n == 1:
            right = " × ".join(map(str, plan.dims[len(clauses) + 1]))
            why = f"is new, and gets size × stride of the dim to its right, {right} = {step}"
        clauses.append(f"dim {len(clauses)} {why}")
    return f"{'; '.join(clauses)}."


def _picture(
    expected: Plain, outcome: Outcome, size: Ints, stride: Ints, new_size: Ints
) -> Diagram | None:
    plan = plan_expand(Layout(size, stride), new_size)
    fits = plan.size if isinstance(plan, Layout) else None
    return draw_change((size, stride, 0), (fits, expected), (fits, outcome.value))


_but = variants(_reference)
# What a new dim of size 1 gets, and what each dim keeps or not.
_RIGHT, _KEPT = "plan.size[dim + 1] * steps[-1]", "plan.size[dim] == n"


EXERCISE = Exercise(
    "expand",
    ("size", "stride", "new_size"),
    place=2,
    returns=INTS,
    reordered=("size", "stride", "new_size"),
    cases=_cases,
    # Nothing shows in no elements, and little in ones; -1 has to be looked up.
    late=lambda size, _, new: (0 in new, max(*size, *new, 0) < 2, len(new), new.count(-1)),
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if a repeated dim keeps its stride. With stride 0 its index grows and the position "
        "stays.": tuple(
            _but(_KEPT, f"{_KEPT} or old >= 0", _RIGHT, each) for each in (_RIGHT, "0")
        ),
        "if a new dim of size 1 looks at the dims as they were given. Take size × stride of the "
        "dim to its right as it is after expanding.": _but(_RIGHT, "size[0] * stride[0]"),
        "if a new dim of size 1 takes over the stride to its right. It gets size × stride.": _but(
            _RIGHT, "steps[-1]"
        ),
        "if every new dim gets stride 0. One of size 1 repeats nothing, and gets size × stride of "
        "the dim to its right.": _but(_RIGHT, "0"),
        "if -1 is multiplied as it stands. It means the size that the dim has.": _but(
            _RIGHT, "new_size[dim + 1] * steps[-1]"
        ),
        "if every dim of size 1 gets stride 0. One that stays 1 keeps its stride.": tuple(
            _but(_KEPT, f"{_KEPT} {more}") for more in ("!= 1", "and (old < 0 or n != 1)")
        ),
    },
    refusing={
        "if each negative size keeps the size that is there. Only -1 does, and only for a dim that "
        "is there.": _but("new_size)", "tuple(max(n, -1) for n in new_size))"),
    },
)
